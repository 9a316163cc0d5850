import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import { StoredBackup } from '../browse/testing/stored-backup.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import type { GraphConnection } from '../source/graph/connection.ts';
import { openGraphSource } from '../source/graph/graph-source.ts';
import { type JsonObject, objectsOf, textOf } from '../source/graph/json.ts';
import { SINGLE } from '../source/graph/mailbox/mailbox-paths.ts';
import { openGraphTarget } from '../source/graph/target/graph-target.ts';
import { mailboxOf } from '../testing/graph/graph-mailbox.ts';
import { startConnected } from '../testing/graph/graph-tenant.ts';
import type { ItemOutcome } from './item-outcome.ts';
import { MailboxPlace } from './places/mailbox-place.ts';
import { restore } from './restore.ts';
import { RESTORE_OPTIONS, type RestoreOptions } from './restore-options.ts';

let stored: StoredBackup;
let tenant: RunningTenant;
let connection: GraphConnection;
let mailbox: ProtectedObject;
beforeEach(async () => {
  stored = await StoredBackup.create();
  ({ tenant, connection } = await startConnected({ size: 'small', budgets: false }));
});
afterEach(async () => {
  await stored.close();
  await tenant.stop();
});

async function backUp(keepExchangeStream: boolean): Promise<void> {
  const source = openGraphSource(connection, { keepExchangeStream });
  mailbox = await mailboxOf(source);
  await stored.backUpFrom(source, 'mailbox');
}

/** Meetings that the owner of the mailbox invited guests to. */
async function meetings(): Promise<JsonObject[]> {
  const all: JsonObject[] = [];
  for await (const { value } of connection.pages({ path: `/users/${mailbox.id}/events`, headers: SINGLE }))
    all.push(...value);
  return all.filter((one) => one['isOrganizer'] === true && objectsOf(one['attendees']).length > 0);
}

const pathOf = (id: unknown) => `/users/${mailbox.id}/events/${encodeURIComponent(textOf(id) ?? '')}`;

async function change(event: JsonObject | undefined, body: object): Promise<void> {
  await connection.ask({ method: 'PATCH', path: pathOf(event?.['id']), headers: SINGLE, body });
}

async function restoreInPlace(over: Partial<RestoreOptions>, items: readonly string[]) {
  const target = openGraphTarget(connection).mailbox({ kind: 'mailbox', id: mailbox.id });
  const scope = { ...(await stored.scopeOf(mailbox)), items };
  const outcomes: ItemOutcome[] = [];
  tenant.tenant.meetingMails.splice(0);
  const result = await restore(
    {
      repository: stored.repository,
      catalog: stored.catalog,
      signal: new AbortController().signal,
      onItem: (item) => void outcomes.push(item),
    },
    {
      scope,
      options: { ...RESTORE_OPTIONS, ...over },
      to: mailbox.id,
      place: (paths, signal) => new MailboxPlace(target, paths, null, signal, true),
    },
  );
  return { result, outcomes, mails: tenant.tenant.meetingMails.splice(0) };
}

const idsOf = (events: readonly (JsonObject | undefined)[]) => events.map((event) => textOf(event?.['id']) ?? '');

describe('A meeting with guests', () => {
  test('is replaced by an import, with its guests and its marks, and no mail is sent', async () => {
    await backUp(true);
    const [one, other] = await meetings();
    await change(one, { location: { displayName: 'The roof' } });
    await change(other, { attendees: [], body: { contentType: 'text', content: 'Changed' } });
    const ids = idsOf([one, other]);
    const { result, outcomes, mails } = await restoreInPlace({ conflict: 'replace', mark: true }, ids);
    expect(mails).toEqual([]);
    expect(result).toMatchObject({ replaced: 2, failed: 0 });
    for (const [at, event] of [one, other].entries()) {
      const targetId = outcomes.find(({ id }) => id === ids[at])?.targetId;
      const back = await connection.ask({ path: pathOf(targetId), headers: SINGLE });
      expect(back['location']).toEqual(event?.['location']);
      expect(objectsOf(back['attendees'])).toHaveLength(objectsOf(event?.['attendees']).length);
      expect(back['categories']).toContain('Restored');
    }
  });

  test('is not replaced without an import where guests would be mailed, but gets back what is its owner’s own', async () => {
    await backUp(false);
    const [seen, own] = await meetings();
    await change(seen, { location: { displayName: 'The roof' }, categories: ['Urgent'] });
    await change(own, { categories: ['Urgent'], showAs: 'oof' });
    const { result, mails } = await restoreInPlace({ conflict: 'replace' }, idsOf([seen, own]));
    expect(mails).toEqual([]);
    expect(result).toMatchObject({ replaced: 1, failed: 1 });
    expect(result.failures[0]).toMatchObject({
      id: seen?.['id'],
      reason: expect.stringMatching(/mail the change to its \d guests/),
    });
    const back = await connection.ask({ path: pathOf(own?.['id']), headers: SINGLE });
    expect(back).toMatchObject({ categories: own?.['categories'], showAs: own?.['showAs'] });
  });

  test('that is gone comes back without an import and without its guests: each is counted, and no guest is mailed', async () => {
    await backUp(false);
    const gone = (await meetings()).slice(0, 2);
    for (const { id } of gone) await connection.ask({ method: 'DELETE', path: pathOf(id), headers: SINGLE });
    const left = (await meetings()).length;
    const { result, outcomes, mails } = await restoreInPlace({}, idsOf(gone));
    expect(mails).toEqual([]);
    expect(result).toMatchObject({ outcome: 'Warning', restored: 2, failed: 0 });
    expect(result.losses['the attendees: they would be invited again']).toBe(2);
    for (const { targetId } of outcomes)
      expect(objectsOf((await connection.ask({ path: pathOf(targetId), headers: SINGLE }))['attendees'])).toEqual([]);
    expect(await meetings()).toHaveLength(left);
  });

  test('is there once, and its guests are mailed nothing, when the answer to its import was lost', async () => {
    await backUp(true);
    const [lost] = await meetings();
    await connection.ask({ method: 'DELETE', path: pathOf(lost?.['id']), headers: SINGLE });
    tenant.setFaults([{ kind: 'cut', path: '/import/*', times: 1 }]);
    const before = await meetings();
    const { result, mails } = await restoreInPlace({}, idsOf([lost]));
    expect(mails).toEqual([]);
    expect(result).toMatchObject({ restored: 1, failed: 0 });
    expect(await meetings()).toHaveLength(before.length + 1);
  });
});

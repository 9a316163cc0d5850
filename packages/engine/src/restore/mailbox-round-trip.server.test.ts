import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { RunningTenant } from '../../../sandbox/src/microsoft365/server.ts';
import { StoredBackup } from '../browse/testing/stored-backup.ts';
import type { ItemVersion } from '../model/items.ts';
import type { ProtectedObject } from '../model/protected-object.ts';
import type { GraphConnection } from '../source/graph/connection.ts';
import { openGraphSource } from '../source/graph/graph-source.ts';
import { isOfGroup } from '../source/graph/group/group-owner.ts';
import { openGraphTarget } from '../source/graph/target/graph-target.ts';
import { objectsIn } from '../testing/graph/graph-mailbox.ts';
import { startConnected } from '../testing/graph/graph-tenant.ts';
import { MailboxPlace } from './places/mailbox-place.ts';
import { PlaceWithSettings } from './places/place-with-settings.ts';
import { type RestoreParts, type RestoreRequest, restore } from './restore.ts';
import { RESTORE_OPTIONS } from './restore-options.ts';
import { differencesOf } from './testing/state-differences.ts';
import { itemStates, stateOf } from './testing/stored-state.ts';

let stored: StoredBackup;
const running: RunningTenant[] = [];
beforeEach(async () => {
  stored = await StoredBackup.create();
});
afterEach(async () => {
  await stored.close();
  for (const tenant of running.splice(0)) await tenant.stop();
});

async function tenantOf(size: 'small' | 'empty', seed: number) {
  const { tenant, connection } = await startConnected({ size, seed, budgets: false });
  running.push(tenant);
  return { tenant, connection };
}

const parts = () => ({ repository: stored.repository, catalog: stored.catalog, signal: new AbortController().signal });

async function backedUp(connection: GraphConnection, keepExchangeStream: boolean) {
  const source = openGraphSource(connection, { keepExchangeStream });
  // No application can write into the conversations of a group.
  const mailboxes = (await objectsIn(source, 'mailbox')).filter((mailbox) => !isOfGroup(mailbox));
  await stored.backUpOnly(source, mailboxes);
  return mailboxes;
}

/** A tenant with the people of another, whose mailboxes are empty. */
async function emptied(tenant: RunningTenant) {
  const empty = await tenantOf('empty', 77);
  for (const user of tenant.tenant.directory.users)
    if (user.mailbox) empty.tenant.tenant.directory.putUser({ ...user });
  return empty.connection;
}

async function requestFor(object: ProtectedObject, connection: GraphConnection): Promise<RestoreRequest> {
  const target = openGraphTarget(connection).mailbox({ kind: 'mailbox', id: object.id });
  return {
    scope: await stored.scopeOf(object),
    options: RESTORE_OPTIONS,
    to: object.id,
    place: (paths, signal) => new PlaceWithSettings(new MailboxPlace(target, paths, null, signal), null, signal),
  };
}

/** Which loss speaks of which property. */
const LOSS_OF: Readonly<Record<string, RegExp>> = {
  isDraft: /it is a draft/,
  singleValueExtendedProperties: /it is a draft|message class|answered/,
  subject: /subject/,
  name: /subject/,
  from: /author/,
  sender: /sender/,
  toRecipients: /recipients/,
  ccRecipients: /recipients/,
  bccRecipients: /recipients/,
  mime: /its header as it was|its MIME/,
  hasAttachments: /attachments/,
  attendees: /attendees/,
  originalStartTimeZone: /time zone/,
  originalEndTimeZone: /time zone/,
};

function isReported(difference: string, losses: readonly string[]): boolean {
  const loss = LOSS_OF[difference.split(' ').at(-1) ?? ''];
  return losses.some((one) => loss?.test(one) === true);
}

/** The stream is the server's own and opaque. */
const isStream = (_: ItemVersion, name: string) => name === 'export';

/** What a person has set up goes back into the own mailbox alone. */
const SETTINGS = 10;

describe('Mailboxes that go through the repository into an empty tenant', () => {
  test('are there again with every property and byte that can be written, each item once', async () => {
    const { tenant, connection } = await tenantOf('small', 1);
    const mailboxes = await backedUp(connection, true);
    const other = await emptied(tenant);
    let items = 0;
    for (const mailbox of mailboxes) {
      const result = await restore(parts(), await requestFor(mailbox, other));
      expect(result).toMatchObject({ outcome: 'Success', failed: 0, skipped: SETTINGS, losses: {} });
      items += result.restored;
    }
    const back = await backedUp(other, true);
    expect(back.map(({ id }) => id).sort()).toEqual(mailboxes.map(({ id }) => id).sort());
    for (const mailbox of mailboxes) {
      const is = await stateOf(parts(), await stored.scopeOf({ ...mailbox, organizationId: other.tenantId }), isStream);
      expect(is).toEqual(await stateOf(parts(), await stored.scopeOf(mailbox), isStream));
    }
    expect(items).toBeGreaterThan(500);
    console.log(`Round trip: ${mailboxes.length} mailboxes, ${items} items, all equal.`);
  }, 300_000);

  test('without an import are there again byte by byte, and what differs is reported of its item', async () => {
    const { tenant, connection } = await tenantOf('small', 1);
    const mailboxes = (await backedUp(connection, false)).slice(0, 3);
    const other = await emptied(tenant);
    const outcomes = new Map<string, { targetId: string; losses: readonly string[] }>();
    const onItem: RestoreParts['onItem'] = ({ id, targetId = '', losses }) => outcomes.set(id, { targetId, losses });
    for (const mailbox of mailboxes) {
      const result = await restore({ ...parts(), onItem }, await requestFor(mailbox, other));
      expect(result).toMatchObject({ outcome: 'Warning', failed: 0, skipped: SETTINGS });
    }
    await backedUp(other, false);
    const counts: Record<string, number> = {};
    const unreported: Record<string, string> = {};
    for (const mailbox of mailboxes) {
      const back = new Map<string, string>();
      const there = await stored.scopeOf({ ...mailbox, organizationId: other.tenantId });
      for await (const { id, state } of itemStates(parts(), there)) back.set(id, state);
      for await (const { id, state } of itemStates(parts(), await stored.scopeOf(mailbox))) {
        const item = outcomes.get(id);
        if (item === undefined) continue;
        const differences = differencesOf(state, back.get(item.targetId) ?? '[]');
        for (const one of differences) counts[one] = (counts[one] ?? 0) + 1;
        for (const one of differences) if (!isReported(one, item.losses)) unreported[one] = state.slice(0, 500);
        if (differences.length === 0) expect({ id, losses: item.losses }).toEqual({ id, losses: [] });
      }
    }
    expect(unreported).toEqual({});
    expect(outcomes.size).toBeGreaterThan(300);
    const { 'message mime': lines = 0 } = counts;
    expect(lines).toBeLessThan(outcomes.size / 10);
    console.log(`Round trip without an import: ${outcomes.size} items, all there. Differences, all reported:`, counts);
    const again = await Promise.all(
      mailboxes.map(async (mailbox) => restore(parts(), await requestFor(mailbox, other))),
    );
    expect(again.map(({ restored, replaced, failed }) => restored + replaced + failed)).toEqual(mailboxes.map(() => 0));
  }, 300_000);
});

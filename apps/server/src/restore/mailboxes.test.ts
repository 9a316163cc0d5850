import {
  listMailboxFolders,
  listMailboxItems,
  listRestoreMailboxes,
  restoreMailItemsToOriginal,
  weighMailbox,
} from '@keepwatch/contract/restore/mailboxes';
import {
  listRestoreOperationItems,
  listRestorePoints,
  openRestoreSession,
  readRestoreOperation,
  type SessionType,
  stopRestoreSession,
} from '@keepwatch/contract/restore/sessions';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rows } from '../foundation/database.ts';
import { hashOfToken } from '../foundation/secrets.ts';
import { openSession } from '../identity/sessions.ts';
import type { Caller } from '../testing/test-portal.ts';
import { type RestoreBed, startRestoreBed } from './testing/restore-bed.ts';

let bed: RestoreBed;
beforeAll(async () => {
  bed = await startRestoreBed({ users: 5 });
});
afterAll(() => bed.stop());

async function openOf(caller: Caller, sessionType: SessionType = 'vex', showDeleted = false): Promise<string> {
  const { id: organizationId, companyId } = bed.organization;
  const datetime = new Date(Date.now() + 60_000).toISOString();
  const body = { companyId, organizationId, datetime, sessionType, showDeleted };
  return (await caller.call(openRestoreSession, { body })).data.id;
}

async function anInbox(caller: Caller, restoreSessionId: string) {
  const mailboxes = (await caller.call(listRestoreMailboxes, { params: { restoreSessionId }, query: { limit: 50 } }))
    .data.results;
  for (const { id: mailboxId } of mailboxes) {
    const params = { restoreSessionId, mailboxId };
    const folders = (await caller.call(listMailboxFolders, { params, query: { limit: 50 } })).data.results;
    const inbox = folders.find(({ category }) => category === 'inbox');
    if (inbox === undefined) continue;
    const { data } = await caller.call(listMailboxItems, {
      params,
      query: { parentId: inbox.id, limit: 5, sort: '-date' },
    });
    if (data.results.length >= 3) return { params, inbox, items: data.results };
  }
  throw new Error('No mailbox has three messages in its inbox.');
}

const auditOf = (caller: Caller) =>
  rows<{ action: string; after: Record<string, unknown> | null }>(
    bed.services.database,
    sql`select action, after from audit_entries where user_id = ${caller.userId} order by at`,
  );

describe('restore points', () => {
  it('are listed with their job and what they have', async () => {
    const caller = await bed.as('o365_admin');
    const query = { organizationId: bed.organization.id };
    const { count, data } = await caller.call(listRestorePoints, { query });
    expect(count).toBe(1);
    expect(data[0]).toMatchObject({
      jobId: bed.jobId,
      jobName: 'Nightly',
      isExchange: true,
      isOneDrive: false,
      isSharePoint: false,
      isTeams: false,
    });
    const later = { ...query, from: new Date(Date.now() + 60_000).toISOString() };
    expect((await caller.call(listRestorePoints, { query: later })).count).toBe(0);
  });

  it('of an organization of another company are not found', async () => {
    const stranger = await bed.as('o365_admin', { providerId: 2 });
    const response = await stranger.send(listRestorePoints, { query: { organizationId: bed.organization.id } });
    expect(response.status).toBe(404);
  });
});

describe('a restore session', () => {
  it('is of its user alone, and shows nothing after its end', async () => {
    const [caller, other] = [await bed.as('o365_admin'), await bed.as('o365_admin')];
    const restoreSessionId = await openOf(caller);
    const params = { restoreSessionId };
    expect((await other.send(listRestoreMailboxes, { params })).status).toBe(404);
    expect((await other.send(stopRestoreSession, { params })).status).toBe(404);
    await caller.call(stopRestoreSession, { params });
    const ended = await caller.send(listRestoreMailboxes, { params });
    expect(ended.status).toBe(409);
    expect(await ended.json()).toMatchObject({ code: 'RESTORE_SESSION_ENDED' });
    const actions = (await auditOf(caller)).map(({ action }) => action);
    expect(actions).toEqual(['restore-session.create', 'restore-session.stop']);
  });

  it('of a time before the first restore point is refused', async () => {
    const caller = await bed.as('o365_admin');
    const { id: organizationId, companyId } = bed.organization;
    const body = { companyId, organizationId, datetime: '2020-01-01T00:00:00.000Z', sessionType: 'vex' as const };
    const response = await caller.send(openRestoreSession, { body });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'NO_RESTORE_POINT' });
  });
});

describe('a mailbox', () => {
  it('is listed with its folders and items, a page at a time, and the look is in the audit log', async () => {
    const caller = await bed.as('o365_admin');
    const restoreSessionId = await openOf(caller);
    const first = await caller.call(listRestoreMailboxes, { params: { restoreSessionId }, query: { limit: 2 } });
    expect(first.data.results).toHaveLength(2);
    expect(first._links.next?.href).toContain('offset=2');
    const { params, inbox, items } = await anInbox(caller, restoreSessionId);
    const page = { parentId: inbox.id, limit: 1, sort: '-date' } as const;
    const second = await caller.call(listMailboxItems, { params, query: { ...page, offset: 1 } });
    expect(second.data.results[0]?.id).toBe(items[1]?.id);
    expect(items[0]).toMatchObject({
      mailboxId: params.mailboxId,
      parentId: inbox.id,
      type: 'message',
      isDeleted: false,
    });
    const weight = await caller.call(weighMailbox, { params, body: { items: items.map(({ id }) => ({ id })) } });
    expect(weight.data.items).toBe(items.length);
    expect((await auditOf(caller)).map(({ action }) => action)).toContain('restore.browse');
  });

  it('is in the audit log once for each place, person and session, whichever page was asked for first', async () => {
    const [caller, other] = [await bed.as('o365_admin'), await bed.as('o365_admin')];
    const found = await anInbox(other, await openOf(other));
    const open = async (by: Caller, offset: number, restoreSessionId: string, parentId = found.inbox.id) => {
      const params = { ...found.params, restoreSessionId };
      await by.call(listMailboxItems, { params, query: { parentId, limit: 1, offset } });
    };
    const looks = async (by: Caller) =>
      (await auditOf(by)).flatMap(({ action, after }) => (action === 'restore.browse' ? [after?.['folder']] : []));
    const session = await openOf(caller);
    await Promise.all([1, 2, 0].map((offset) => open(caller, offset, session)));
    await open(caller, 0, session);
    expect(await looks(caller)).toEqual([found.inbox.id]);
    await open(caller, 0, session, 'Root');
    await open(caller, 0, await openOf(caller));
    expect(await looks(caller)).toEqual([found.inbox.id, 'Root', found.inbox.id]);
    // Another person's own session has entries of its own.
    expect(await looks(other)).toContain(found.inbox.id);
  });

  it('that is not in the restore point is not found, nor is a folder', async () => {
    const caller = await bed.as('o365_admin');
    const restoreSessionId = await openOf(caller);
    const { params } = await anInbox(caller, restoreSessionId);
    const missing = { restoreSessionId, mailboxId: 'nothing' };
    expect((await caller.send(listMailboxFolders, { params: missing })).status).toBe(404);
    expect((await caller.send(listMailboxItems, { params, query: { parentId: 'nothing' } })).status).toBe(404);
  });
});

describe('a restore', () => {
  it('asks for the device code first', async () => {
    const caller = await bed.as('o365_admin');
    const { params, items } = await anInbox(caller, await openOf(caller));
    const body = { items: items.slice(0, 1).map(({ id }) => ({ id })) };
    const response = await caller.send(restoreMailItemsToOriginal, { params, body });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: 'DEVICE_CODE_REQUIRED' });
  });

  it('is not done by the proof of another person, as whom an administrator acts', async () => {
    const [boss, caller] = [await bed.as('o365_admin'), await bed.asAdministrator()];
    const { params, items } = await anInbox(caller, await openOf(caller));
    const parentHash = hashOfToken(boss.token ?? '');
    const user = { providerId: 1, id: caller.userId };
    caller.token = await openSession(bed.services.database, user, new Date(), '', { parentHash });
    const body = { items: items.slice(0, 1).map(({ id }) => ({ id })) };
    const response = await caller.send(restoreMailItemsToOriginal, { params, body });
    expect([response.status, await response.json()]).toMatchObject([403, { code: 'OWN_SESSION_REQUIRED' }]);
  });

  it('says by its plan what it would do, brings a deleted message back, and reports it', async () => {
    const caller = await bed.asAdministrator();
    const { params, items } = await anInbox(caller, await openOf(caller));
    const [lost, unchanged] = items;
    const path = `/users/${params.mailboxId}/messages/${lost?.id}`;
    await bed.connection.ask({ method: 'DELETE', path });
    const body = { items: [{ id: lost?.id ?? '' }, { id: unchanged?.id ?? '' }] };
    const plan = (await caller.call(restoreMailItemsToOriginal, { params, body: { ...body, planOnly: true } })).data;
    const restored = (await caller.call(restoreMailItemsToOriginal, { params, body })).data;
    expect(restored).toMatchObject({ state: 'Queued', isPlan: false });
    await bed.work();
    const read = async (operationId: string) =>
      (await caller.call(readRestoreOperation, { params: { operationId } })).data;
    expect(await read(plan.id)).toMatchObject({ state: 'Success', isPlan: true, restored: 1, skipped: 1 });
    expect(await read(restored.id)).toMatchObject({ state: 'Success', restored: 1, skipped: 1, failed: 0 });
    const planned = await caller.call(listRestoreOperationItems, { params: { operationId: plan.id } });
    expect(planned.data.map(({ outcome }) => outcome).toSorted()).toEqual(['create', 'skipped']);
    expect((await auditOf(caller)).filter(({ action }) => action === 'restore.start')).toHaveLength(2);
  });

  it('of a person who is no administrator is refused where it is not their own', async () => {
    const caller = await bed.as('o365_admin');
    await bed.prove(caller, 'owner', 'another-person');
    const { params, items } = await anInbox(caller, await openOf(caller));
    const body = { items: items.slice(0, 1).map(({ id }) => ({ id })) };
    const response = await caller.send(restoreMailItemsToOriginal, { params, body });
    expect(await response.json()).toMatchObject({ code: 'NOT_THE_OWNER' });
  });
});

import {
  cancelDownload,
  deleteDownload,
  fetchDownload,
  listDownloads,
  readDownload,
} from '@keepwatch/contract/restore/downloads';
import { downloadMailbox, listRestoreMailboxes, restoreMailboxToAnother } from '@keepwatch/contract/restore/mailboxes';
import {
  createRestoreRole,
  deleteRestoreRole,
  editRestoreRole,
  listRestoreRoles,
  readRestoreRole,
} from '@keepwatch/contract/restore/roles';
import { listRestoreOperations, listRestorePoints, readRestoreOperation } from '@keepwatch/contract/restore/sessions';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rows } from '../../foundation/database.ts';
import type { Caller } from '../../testing/test-portal.ts';
import { openSessions } from '../testing/operator-bed.ts';
import { type RestoreBed, startRestoreBed } from '../testing/restore-bed.ts';

const SOME_ID = '00000000-0000-4000-8000-000000000000';
let bed: RestoreBed;
let admin: Caller;
let people: { id: string; name: string; address: string | null }[];
beforeAll(async () => {
  bed = await startRestoreBed({ users: 3 });
  admin = await bed.as('o365_admin');
  const { rows: found } = await bed.stored.catalog.findObjects({ kinds: ['mailbox'], limit: 10 });
  people = found;
});
afterAll(() => bed.stop());

let operator: Caller;
beforeEach(async () => {
  operator = await bed.as('restore-operator');
});

const where = () => ({ organizationId: bed.organization.id });
const person = (at: number) => ({ type: 'User' as const, id: people[at]?.id ?? '', name: people[at]?.name ?? '' });
let names = 0;

function bodyOf(selected: readonly number[], excluded: readonly number[] = []) {
  names += 1;
  return {
    name: `Role ${names}`,
    description: 'For the service desk',
    roleType: selected.length === 0 ? ('EntireOrganization' as const) : ('SpecificObjects' as const),
    operators: [{ id: operator.userId }],
    selectedItems: selected.map(person),
    excludedItems: excluded.map(person),
  };
}

const create = async (body: ReturnType<typeof bodyOf>) =>
  (await admin.call(createRestoreRole, { params: where(), body })).data;

describe('a restore operator role', () => {
  it('is created, listed, read, changed and removed, and the log says by whom and what', async () => {
    const body = bodyOf([0, 1], [1]);
    const role = await create(body);
    expect(role).toMatchObject({ ...body, organizationId: bed.organization.id, organizationName: 'Contoso' });
    expect(role.operators).toEqual([{ id: operator.userId, name: operator.username, username: operator.username }]);
    const params = { opRoleId: role.id };
    expect((await admin.call(readRestoreRole, { params })).data).toEqual(role);
    const { data } = await admin.call(listRestoreRoles, { query: { search: body.name, limit: 10 } });
    expect(data).toMatchObject([{ id: role.id, selectedCount: 2, excludedCount: 1 }]);
    const changed = await admin.call(editRestoreRole, { params, body: { ...body, roleType: 'EntireOrganization' } });
    expect(changed.data).toMatchObject({ roleType: 'EntireOrganization', selectedItems: [] });
    await admin.call(deleteRestoreRole, { params });
    expect((await admin.send(readRestoreRole, { params })).status).toBe(404);
    const log = await rows<{ action: string; before: object | null; after: object | null }>(
      bed.services.database,
      sql`select action, before, after from audit_entries where user_id = ${admin.userId} and target_id = ${role.id} order by at`,
    );
    expect(log.map(({ action }) => action)).toEqual([
      'restore-role.create',
      'restore-role.edit',
      'restore-role.delete',
    ]);
    const said = { operators: [operator.username], excluded: [`User ${people[1]?.name}`] };
    expect(log).toMatchObject([
      { after: { ...said, roleType: 'SpecificObjects' } },
      { before: { selected: [`User ${people[0]?.name}`, `User ${people[1]?.name}`] }, after: { selected: [] } },
      { before: said },
    ]);
  });

  it.each([
    ['without an object', () => ({ ...bodyOf([0]), selectedItems: [] }), 'body.selectedItems'],
    [
      'for an administrator, who sees everything',
      () => ({ ...bodyOf([0]), operators: [{ id: admin.userId }] }),
      'body.operators',
    ],
    ['without an operator', () => ({ ...bodyOf([0]), operators: [] }), 'body.operators'],
    ['for a user who is not there', () => ({ ...bodyOf([0]), operators: [{ id: SOME_ID }] }), 'body.operators'],
  ])('is refused %s', async (_, body, path) => {
    const response = await admin.send(createRestoreRole, { params: where(), body: body() });
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ errors: [{ path }] });
  });

  it('needs a name of its own', async () => {
    const [first, second] = [await create(bodyOf([0])), await create(bodyOf([0]))];
    const same = { ...bodyOf([0]), name: first.name.toUpperCase() };
    expect((await admin.send(createRestoreRole, { params: where(), body: same })).status).toBe(409);
    const params = { opRoleId: second.id };
    expect((await admin.send(editRestoreRole, { params, body: same })).status).toBe(409);
  });

  it('404: of another provider, or of no organization, is not found', async () => {
    const { id } = await create(bodyOf([0]));
    const stranger = await bed.as('o365_admin', { providerId: 2 });
    const params = { opRoleId: id };
    expect((await stranger.send(readRestoreRole, { params })).status).toBe(404);
    expect((await stranger.send(deleteRestoreRole, { params })).status).toBe(404);
    expect((await stranger.send(editRestoreRole, { params, body: bodyOf([0]) })).status).toBe(404);
    expect((await stranger.send(createRestoreRole, { params: where(), body: bodyOf([0]) })).status).toBe(404);
    expect((await stranger.call(listRestoreRoles, {})).data).toEqual([]);
  });

  it('is neither seen nor changed by its operator', async () => {
    const { id } = await create(bodyOf([0]));
    const params = { opRoleId: id };
    expect((await operator.send(listRestoreRoles, {})).status).toBe(403);
    expect((await operator.send(editRestoreRole, { params, body: bodyOf([0]) })).status).toBe(403);
  });
});

describe('an operator', () => {
  it('without a role finds no organization', async () => {
    expect((await operator.send(listRestorePoints, { query: where() })).status).toBe(404);
  });

  it('sees no more in an open session from the moment on in which the role is removed', async () => {
    const { id } = await create(bodyOf([0]));
    const { vex: restoreSessionId } = await openSessionsOf(operator);
    const params = { restoreSessionId };
    expect((await operator.call(listRestoreMailboxes, { params })).data.results).toMatchObject([{ id: people[0]?.id }]);
    await admin.call(deleteRestoreRole, { params: { opRoleId: id } });
    expect((await operator.send(listRestoreMailboxes, { params })).status).toBe(404);
  });

  it('sees what any of several roles shows', async () => {
    await create(bodyOf([0, 1], [1]));
    await create(bodyOf([1]));
    const { vex: restoreSessionId } = await openSessionsOf(operator);
    const { results } = (await operator.call(listRestoreMailboxes, { params: { restoreSessionId } })).data;
    expect(results.map(({ id }) => id).toSorted()).toEqual([people[0]?.id, people[1]?.id].toSorted());
  });

  it('restores for others after a sign-in that proves no administrator, but into no mailbox outside of the role', async () => {
    await create(bodyOf([0, 1]));
    await bed.prove(operator, 'owner', 'another-person');
    const { vex: restoreSessionId } = await openSessionsOf(operator);
    const params = { restoreSessionId, mailboxId: people[0]?.id ?? '' };
    const into = (at: number, planOnly: boolean) => ({
      params,
      body: { mailbox: people[at]?.address ?? '', planOnly },
    });
    expect((await operator.call(restoreMailboxToAnother, into(1, false))).data.state).toBe('Queued');
    expect((await operator.send(restoreMailboxToAnother, into(2, false))).status).toBe(422);
    expect((await operator.send(restoreMailboxToAnother, into(2, true))).status).toBe(422);
    bed.sent.splice(0);
  });
});

const openSessionsOf = (caller: Caller) => openSessions(bed, caller);

describe('what an operator ordered', () => {
  it('ends as failed where the role was narrowed before a worker began it', async () => {
    const role = await create(bodyOf([0]));
    const download = await orderDownload();
    await narrow(role.id);
    await bed.work();
    await widen(role.id);
    const read = await operator.call(readDownload, { params: { id: download } });
    expect(read.download).toMatchObject({ status: 'failed', sha256: null });
    expect(read.download.message).toContain('no longer covers');
  });

  it('is not listed, read, fetched, cancelled or removed while no role covers it', async () => {
    const role = await create(bodyOf([0]));
    await bed.prove(operator, 'owner', 'another-person');
    const [download, plan] = [await orderDownload(), await orderPlan()];
    await bed.work();
    const params = { id: download };
    expect((await operator.call(listDownloads, { body: {} })).results).toMatchObject([{ status: 'finished' }]);
    const { url } = (await operator.call(readDownload, { params })).download;
    await narrow(role.id);
    expect(await operator.call(listDownloads, { body: {} })).toMatchObject({ results: [], count: 0 });
    expect(await operator.call(listRestoreOperations, {})).toMatchObject({ data: [], count: 0 });
    const refused = [
      await operator.send(readDownload, { params }),
      await operator.send(cancelDownload, { params, body: { action: 'cancel' } }),
      await operator.send(deleteDownload, { params }),
      await operator.send(fetchDownload, { query: { url: url ?? '' } }),
      await operator.send(readRestoreOperation, { params: { operationId: plan } }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    await widen(role.id);
    expect((await operator.call(listDownloads, { body: {} })).count).toBe(1);
    expect((await operator.call(listRestoreOperations, {})).count).toBe(1);
  });
});

const change = (opRoleId: string, at: number) =>
  admin.call(editRestoreRole, { params: { opRoleId }, body: bodyOf([at]) });
const narrow = (opRoleId: string) => change(opRoleId, 1);
const widen = (opRoleId: string) => change(opRoleId, 0);

async function orderDownload(): Promise<string> {
  const params = { restoreSessionId: (await openSessionsOf(operator)).vex, mailboxId: people[0]?.id ?? '' };
  const response = await operator.send(downloadMailbox, {
    params,
    body: { format: 'zip', downloadInBackground: true },
  });
  const { download } = (await response.json()) as { download: { id: string } };
  return download.id;
}

async function orderPlan(): Promise<string> {
  const params = { restoreSessionId: (await openSessionsOf(operator)).vex, mailboxId: people[0]?.id ?? '' };
  const body = { mailbox: people[0]?.address ?? '', planOnly: true };
  return (await operator.call(restoreMailboxToAnother, { params, body })).data.id;
}

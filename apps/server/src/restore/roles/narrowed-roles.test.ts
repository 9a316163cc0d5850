import { readdir } from 'node:fs/promises';
import { readDownload } from '@keepwatch/contract/restore/downloads';
import { downloadMailbox, restoreMailboxToAnother } from '@keepwatch/contract/restore/mailboxes';
import { createRestoreRole, deleteRestoreRole, editRestoreRole } from '@keepwatch/contract/restore/roles';
import { readRestoreOperation } from '@keepwatch/contract/restore/sessions';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { execute, row } from '../../foundation/database.ts';
import { buildCompany } from '../../testing/builders.ts';
import type { Caller } from '../../testing/test-portal.ts';
import { makeDownload } from '../downloads/make-download.ts';
import type { RestoreServices } from '../restore-services.ts';
import { openSessions } from '../testing/operator-bed.ts';
import { type RestoreBed, startRestoreBed } from '../testing/restore-bed.ts';

/** A restore that meets it at every write takes minutes unless it is stopped. */
const SLOW_WRITES = [{ kind: 'slow' as const, method: 'POST', parameters: { chunkBytes: 256, intervalMs: 100 } }];
const NO_MORE = 'no longer covers';
const NEVER = new AbortController().signal;

let bed: RestoreBed;
let admin: Caller;
let operator: Caller;
let opRoleId: string;
let people: { id: string; name: string; address: string | null }[];

beforeAll(async () => {
  bed = await startRestoreBed({ users: 3 });
  admin = await bed.as('o365_admin');
  people = (await bed.stored.catalog.findObjects({ kinds: ['mailbox'], limit: 10 })).rows;
});
afterAll(() => bed.stop());

beforeEach(async () => {
  bed.tenant.setFaults([]);
  operator = await bed.as('restore-operator');
  await bed.prove(operator, 'owner');
  const params = { organizationId: bed.organization.id };
  opRoleId = (await admin.call(createRestoreRole, { params, body: roleOver([0, 1]) })).data.id;
});

const roleOver = (places: readonly number[]) => ({
  name: operator.username,
  roleType: 'SpecificObjects' as const,
  operators: [{ id: operator.userId }],
  selectedItems: places.map((at) => ({ type: 'User' as const, id: people[at]?.id ?? '' })),
});

const showOnly = (...places: number[]) => admin.call(editRestoreRole, { params: { opRoleId }, body: roleOver(places) });

const paramsOf = async () => ({
  restoreSessionId: (await openSessions(bed, operator)).vex,
  mailboxId: people[0]?.id ?? '',
});

/** Into the mailbox of another person of the role. */
async function orderRestore(): Promise<string> {
  const body = { mailbox: people[1]?.address ?? '', options: { conflict: 'keep-both' as const } };
  return (await operator.call(restoreMailboxToAnother, { params: await paramsOf(), body })).data.id;
}

it('finds what a restore goes into by its address or id, and does not read the list of all that is backed up', async () => {
  const params = await paramsOf();
  const asked = vi.spyOn(bed.stored.catalog, 'findObjects');
  const [, { id = '', address = '' } = {}] = people;
  for (const mailbox of [address?.toUpperCase() ?? '', id]) {
    const { data } = await operator.call(restoreMailboxToAnother, { params, body: { mailbox, planOnly: true } });
    expect(data.isPlan).toBe(true);
  }
  const queries = asked.mock.calls.map(([query]) => query);
  asked.mockRestore();
  expect(queries.length).toBeGreaterThan(0);
  expect(queries.filter(({ keys, addresses, owners }) => (keys ?? addresses ?? owners) === undefined)).toEqual([]);
  const outside = { mailbox: people[2]?.address ?? '', planOnly: true };
  expect((await operator.send(restoreMailboxToAnother, { params, body: outside })).status).toBe(422);
});

async function orderDownload(): Promise<string> {
  const body = { format: 'zip' as const, downloadInBackground: true };
  const response = await operator.send(downloadMailbox, { params: await paramsOf(), body });
  bed.sent.splice(0);
  return ((await response.json()) as { download: { id: string } }).download.id;
}

/** As the row has it: who may not see it is not shown it by a call. */
const rowOf = (table: string, id: string) =>
  row<{ state: string; message: string | null; progress: { restored?: number; notBegun?: number } }>(
    bed.services.database,
    sql`select state, message, progress from ${sql.identifier(table)} where id = ${id}`,
  );

const writes = () =>
  Object.entries(bed.tenant.requests().byOperation)
    .filter(([operation]) => operation.startsWith('POST'))
    .reduce((sum, [, count]) => sum + count, 0);

describe('a restore of an operator', () => {
  it.each([
    ['the role shows the mailbox no more', () => showOnly(1)],
    ['the role shows no more what it goes into', () => showOnly(0)],
    ['the role is removed', () => admin.call(deleteRestoreRole, { params: { opRoleId } })],
  ])('stops within seconds when %s, and writes nothing more', async (_, narrow) => {
    const operationId = await orderRestore();
    bed.tenant.setFaults(SLOW_WRITES);
    const working = bed.work();
    const done = async () => (await operator.call(readRestoreOperation, { params: { operationId } })).data.done;
    await expect.poll(done).toBeGreaterThan(0);
    await narrow();
    await working;
    const ended = await rowOf('restore_operations', operationId);
    expect(ended).toMatchObject({ state: 'Failed', message: expect.stringContaining(NO_MORE) });
    expect(ended?.progress.notBegun).toBeGreaterThan(0);
    const written = writes();
    await bed.work();
    expect(writes()).toBe(written);
  });

  it.each([
    ['the role shows no more what it goes into', () => showOnly(0)],
    ['the user may not restore any more', () => setUser(sql`roles = '{read-only}'`)],
    ['the user is disabled', () => setUser(sql`disabled_at = now()`)],
    ['the user is limited to other companies', limitToAnother],
  ])('writes nothing when %s before a worker begins it', async (_, narrow) => {
    const operationId = await orderRestore();
    await narrow();
    const before = writes();
    await bed.work();
    expect(await rowOf('restore_operations', operationId)).toMatchObject({ state: 'Failed' });
    expect(writes()).toBe(before);
  });
});

const setUser = (change: ReturnType<typeof sql>) =>
  execute(bed.services.database, sql`update users set ${change} where provider_id = 1 and id = ${operator.userId}`);

async function limitToAnother(): Promise<void> {
  const { database } = bed.services;
  const other = await buildCompany(database);
  await execute(
    database,
    sql`insert into user_companies (provider_id, user_id, company_id) values (1, ${operator.userId}, ${other})`,
  );
}

describe('a download of an operator', () => {
  it('is not finished, and leaves no file, when the role is narrowed while it is made', async () => {
    const id = await orderDownload();
    let opened = 0;
    // The repository is opened as far as the role shows it, and then as a whole: from here on the file is made.
    const openStored: RestoreServices['openStored'] = async (...which) => {
      opened += 1;
      if (opened === 2) await showOnly(1);
      return bed.services.openStored(...which);
    };
    await makeDownload({ ...bed.services, openStored }, { providerId: 1, id }, NEVER);
    expect(opened).toBeGreaterThan(1);
    expect(await rowOf('restore_downloads', id)).toMatchObject({
      state: 'failed',
      message: expect.stringContaining(NO_MORE),
    });
    expect((await readdir(bed.services.downloadsFolder)).filter((name) => name.includes(id))).toEqual([]);
    await showOnly(0);
    expect((await operator.call(readDownload, { params: { id } })).download).toMatchObject({ url: null, sha256: null });
  });
});

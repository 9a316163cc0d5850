import { listFaults } from '@keepwatch/contract/faults/faults';
import { closeFault, listFaultViewers, openFault, VIEWER_SECONDS } from '@keepwatch/contract/faults/viewers';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, rows } from '../foundation/database.ts';
import { wholeSpan } from '../runs/faults/merged-spans.ts';
import { refreshFaults } from '../runs/faults/refresh-faults.ts';
import { type BuiltJob, buildCompany, buildExecution, buildJob } from '../testing/builders.ts';
import { daysAgo } from '../testing/report-builders.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';

const MISSING = '00000000-0000-8000-8000-000000000000';
let portal: TestPortal;
let anna: Caller;
let ben: Caller;
let job: BuiltJob;
let faultId: string;

beforeAll(async () => {
  portal = await startTestPortal();
  [anna, ben] = [await portal.as('operator'), await portal.as('operator')];
  job = await build();
  await build();
  const { data } = await anna.call(listFaults, { query: { filter: { jobInstanceUids: [job.jobInstanceUid] } } });
  faultId = data[0]?._id ?? '';
});
beforeEach(async () => {
  await portal.database.query('truncate fault_viewers');
});
afterAll(() => portal.stop());

async function build(): Promise<BuiltJob> {
  const built = await buildJob(portal.database);
  await buildExecution(portal.database, built, { startedAt: daysAgo(1) });
  await refreshFaults(portal.database, built.providerId, [wholeSpan(built.jobInstanceUid)]);
  return built;
}

const open = (caller: Caller, id = faultId) => caller.call(openFault, { params: { id } });
const viewers = async (caller: Caller) => (await caller.call(listFaultViewers, {})).data;
const other = async () =>
  (await anna.call(listFaults, { query: { limit: 50 } })).data.find(({ _id }) => _id !== faultId)?._id ?? '';

describe('POST monitoring/backoffice/faults/{id}/viewers', () => {
  it('200: says who else has it open, who was first before others', async () => {
    expect((await open(anna)).data).toEqual([]);
    const since = TEST_NOW.toISOString();
    expect((await open(ben)).data).toEqual([{ faultId, username: anna.username, isSelf: false, since }]);
    expect((await open(anna)).data).toMatchObject([{ username: ben.username }]);
  });

  it('200: of two who open one at the same time one sees the other', async () => {
    const replies = await Promise.all([open(anna), open(ben)]);
    expect(replies.map(({ data }) => data.length).sort()).toEqual([0, 1]);
  });

  it('200: a user has one fault open at most', async () => {
    await open(anna);
    await open(anna, await other());
    expect((await open(ben)).data).toEqual([]);
    expect((await viewers(ben)).length).toBe(2);
  });

  it('200: what was not said again for a minute does not count any more', async () => {
    await open(anna);
    await execute(
      portal.database,
      sql`update fault_viewers set expires_at = expires_at - ${`${VIEWER_SECONDS} seconds`}::interval`,
    );
    expect(await viewers(ben)).toEqual([]);
    expect((await open(ben)).data).toEqual([]);
    expect(await rows(portal.database, sql`select from fault_viewers`)).toHaveLength(1);
  });

  it('404: none outside the scope of the caller', async () => {
    const limited = await portal.as('operator', { companyIds: [await buildCompany(portal.database)] });
    for (const [caller, id] of [
      [anna, MISSING],
      [limited, faultId],
    ] as const)
      expect((await caller.send(openFault, { params: { id } })).status).toBe(404);
    expect(await rows(portal.database, sql`select from fault_viewers`)).toEqual([]);
  });

  it('403: readers open none', async () => {
    const reader = await portal.as('read-only');
    expect((await reader.send(openFault, { params: { id: faultId } })).status).toBe(403);
  });
});

describe('GET monitoring/reporting/fault-viewers', () => {
  it('200: names all who have a fault of the scope open, and the caller among them', async () => {
    await open(anna);
    await open(ben, await other());
    expect((await viewers(anna)).map(({ isSelf }) => isSelf).sort()).toEqual([false, true]);
    const limited = await portal.as('read-only', { companyIds: [job.companyId ?? ''] });
    expect(await viewers(limited)).toMatchObject([{ faultId, username: anna.username, isSelf: false }]);
    const stranger = await portal.as('operator', { providerId: 2 });
    expect(await viewers(stranger)).toEqual([]);
  });
});

describe('DELETE monitoring/backoffice/fault-viewers/own', () => {
  it('200: closes the fault of the caller alone, and again closes nothing', async () => {
    await open(anna);
    await open(ben);
    for (let time = 0; time < 2; time += 1) await anna.call(closeFault, {});
    expect(await viewers(anna)).toMatchObject([{ username: ben.username }]);
  });
});

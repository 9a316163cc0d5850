import { listFaults } from '@keepwatch/contract/faults/faults';
import { listJobNames } from '@keepwatch/contract/insights/calendar';
import { getChanges } from '@keepwatch/contract/insights/changes';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute } from '../foundation/database.ts';
import { wholeSpan } from '../runs/faults/merged-spans.ts';
import { refreshFaults } from '../runs/faults/refresh-faults.ts';
import { buildCompany, buildExecution, buildJob, buildSource } from '../testing/builders.ts';
import { daysAgo } from '../testing/report-builders.ts';
import { type Caller, startTestPortal, type TestPortal } from '../testing/test-portal.ts';

let portal: TestPortal;
let operator: Caller;
let companyId: string;

beforeAll(async () => {
  portal = await startTestPortal();
  operator = await portal.as('operator');
});
beforeEach(async () => {
  await portal.database.query('truncate job_executions, faults, job_ignores, jobs');
  await portal.database.query('delete from sources');
  companyId = await buildCompany(portal.database);
});
afterAll(() => portal.stop());

/** A job with a run for each day that failed, or was a success (negative). */
async function build(
  name: string,
  failedDays: readonly number[],
  given: { knownDays?: number; companyId?: string } = {},
) {
  const job = await buildJob(portal.database, { companyId: given.companyId ?? companyId, name });
  for (const day of failedDays)
    await buildExecution(portal.database, job, {
      startedAt: daysAgo(Math.abs(day)),
      result: day < 0 ? 'Success' : 'Failed',
    });
  await execute(
    portal.database,
    sql`update jobs set first_seen_at = ${daysAgo(given.knownDays ?? 30)} where job_instance_uid = ${job.jobInstanceUid}`,
  );
  await refreshFaults(portal.database, 1, [wholeSpan(job.jobInstanceUid)]);
}

async function changesOf(
  filter: { companyIds?: string; search?: string } = { companyIds: companyId },
  caller = operator,
) {
  return (await caller.call(getChanges, { query: { filter } })).data;
}

describe('GET monitoring/reporting/changes', () => {
  it('200: counts what is new or healed since the same time yesterday, and names the first of it', async () => {
    for (const name of ['D', 'C', 'B', 'A']) await build(name, [0.5]);
    await build('Failing for days', [3, 0.5]);
    await build('Healed', [9, -0.5]);
    await build('Healed before', [9, -8]);
    await build('New', [-0.5], { knownDays: 0.2 });
    expect(await changesOf()).toEqual({
      since: daysAgo(1).toISOString(),
      newFaults: { count: 4, names: ['A', 'B', 'C'] },
      healedFaults: { count: 1, names: ['Healed'] },
      newJobs: { count: 1, names: ['New'] },
      stoppedSources: [],
    });
  });

  it('200: counts as many as the lists have', async () => {
    await build('Failed', [0.5]);
    await build('Failed and healed', [0.5, -0.2]);
    await build('Healed', [9, -0.5], { knownDays: 0.1 });
    const { since, newFaults, healedFaults, newJobs } = await changesOf();
    const faults = async (filter: object) =>
      (await operator.call(listFaults, { query: { filter: { companyIds: companyId, ...filter } } })).count;
    expect(await faults({ openedFrom: since, state: ['pending', 'in-progress'] })).toBe(newFaults.count);
    expect(await faults({ closedFrom: since, state: 'healed' })).toBe(healedFaults.count);
    const jobs = await operator.call(listJobNames, { query: { companyIds: companyId, knownFrom: since } });
    expect(jobs.count).toBe(newJobs.count);
    expect([newFaults.count, healedFaults.count, newJobs.count]).toEqual([1, 2, 1]);
  });

  it('200: names the sources that should have been read and were not, as long as they have jobs', async () => {
    const stopped = await buildSource(portal.database, { historyReadTo: daysAgo(0.25) });
    const [read, quick] = [
      await buildSource(portal.database),
      await buildSource(portal.database, { historyReadTo: daysAgo(0.02) }),
    ];
    const own = await buildSource(portal.database, { kind: 'intake', historyReadTo: daysAgo(2) });
    const slow = await buildSource(portal.database, { historyReadTo: daysAgo(0.25) });
    await execute(portal.database, sql`update sources set sync_interval_minutes = 720 where id = ${slow}`);
    await buildSource(portal.database, { historyReadTo: daysAgo(2) });
    for (const sourceId of [stopped, read, quick, own, slow]) await buildJob(portal.database, { companyId, sourceId });
    expect((await changesOf()).stoppedSources).toEqual([
      { _id: stopped, name: 'A console', readTo: daysAgo(0.25).toISOString() },
    ]);
  });

  it('200: says that a source stopped, but not what it is called, to who sees some companies only', async () => {
    const sourceId = await buildSource(portal.database, { historyReadTo: daysAgo(0.25) });
    await buildJob(portal.database, { companyId, sourceId });
    const unnamed = [{ _id: sourceId, name: null, readTo: daysAgo(0.25).toISOString() }];
    for (const role of ['sub-sp', 'operator'] as const) {
      const limited = await portal.as(role, { companyIds: [companyId] });
      expect((await changesOf({}, limited)).stoppedSources, role).toEqual(unnamed);
    }
  });

  it('200: shows users of one company nothing of another', async () => {
    const other = await buildCompany(portal.database);
    const sourceId = await buildSource(portal.database, { historyReadTo: daysAgo(2) });
    await buildJob(portal.database, { companyId: other, sourceId });
    await build('Failed', [0.5], { companyId: other, knownDays: 0.1 });
    const limited = await portal.as('operator', { companyIds: [companyId] });
    const nothing = { count: 0, names: [] };
    const none = { newFaults: nothing, healedFaults: nothing, newJobs: nothing, stoppedSources: [] };
    expect(await changesOf({}, limited)).toMatchObject(none);
    expect(await changesOf({ companyIds: other }, limited)).toMatchObject(none);
    expect((await changesOf({})).newFaults.count).toBe(1);
  });
});

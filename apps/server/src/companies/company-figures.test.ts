import { exportCompanyJobs, getCompany, listCompanies } from '@keepwatch/contract/companies/companies';
import { listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { editFaults, listFaults } from '@keepwatch/contract/faults/faults';
import { FAULT_KINDS, type FaultKind } from '@keepwatch/contract/faults/values';
import type { State } from '@keepwatch/contract/runs/values';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, transaction } from '../foundation/database.ts';
import { ingestRuns } from '../ingest/ingest-runs.ts';
import type { NewRun } from '../runs/new-run.ts';
import { executionsLock } from '../schedules/job-state.ts';
import { findMissedRuns } from '../schedules/missed-runs.ts';
import { removeJobs } from '../schedules/removed-jobs.ts';
import { buildCompany, buildJob } from '../testing/builders.ts';
import { daysAgo } from '../testing/report-builders.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';

const HOUR_MS = 3_600_000;
const CONTRADICTING = 'The disk was not found.';
let portal: TestPortal;
/** Sees companies, their runs and their faults. */
let technician: Caller;
/** A company with jobs in every state. */
let id: string;
/** A company whose only trouble is that of jobs which its source no longer has. */
let calm: string;

beforeAll(async () => {
  portal = await startTestPortal();
  technician = await portal.as(['admin', 'operator']);
  [id, calm] = [await buildCompany(portal.database), await buildCompany(portal.database)];
  await build('Fine', ['Success', 'Success']);
  await build('Failed', ['Success', 'Failed', 'Failed']);
  await build('Failed too', ['Failed']);
  await build('Warned', ['Success', 'Warning']);
  await build('Doubtful', ['Success', 'doubtful']);
  await build('Healed', ['Failed', 'Success']);
  await change(await build('Worked on', ['Success', 'Failed']), 'in-progress');
  await change(await build('Resolved', ['Success', 'Failed']), 'resolved');
  await change(await build('Ignored', ['Success', 'Failed']), 'ignored');
  await build('Missed', ['Success'], id, HOUR_MS);
  expect(await findMissedRuns(portal.database, TEST_NOW)).toBeGreaterThan(0);
  for (const companyId of [id, calm]) {
    await build('Fine there', ['Success'], companyId);
    for (const last of ['Failed', 'Warning', 'doubtful'] as const)
      await remove(await build(`Removed, ${last}`, ['Success', last], companyId));
  }
});
afterAll(() => portal.stop());

/** A job with a run a day, the last one yesterday. */
async function build(
  name: string,
  runs: readonly (NewRun['result'] | 'doubtful')[],
  companyId = id,
  intervalMs = 7 * 24 * HOUR_MS,
): Promise<string> {
  const { jobInstanceUid } = await buildJob(portal.database, { name, companyId, intervalMs });
  const reported = runs.map((result, place) => {
    const startedAt = daysAgo(runs.length - place);
    const how = result === 'doubtful' ? { result: 'Success' as const, message: CONTRADICTING } : { result };
    return { jobInstanceUid, startedAt, endedAt: new Date(startedAt.getTime() + 60_000), ...how };
  });
  await ingestRuns(portal.database, 1, reported, TEST_NOW);
  return jobInstanceUid;
}

async function change(jobInstanceUid: string, state: State): Promise<void> {
  const { data } = await technician.call(listFaults, { query: { filter: { jobInstanceUids: jobInstanceUid } } });
  await technician.call(editFaults, { body: { ids: data.map(({ _id }) => _id), change: { state } } });
}

/** As a sync does of a job that its source no longer has. */
function remove(jobInstanceUid: string): Promise<unknown> {
  const chosen = sql`j.job_instance_uid = ${jobInstanceUid}::uuid`;
  return transaction(portal.database, (connection) => removeJobs(connection, 1, chosen, TEST_NOW), executionsLock(1));
}

type RunFilter = NonNullable<CallRequest<typeof listJobExecutions>['query']>['filter'];
type FaultFilter = NonNullable<CallRequest<typeof listFaults>['query']>['filter'];

const page = async () => (await technician.call(getCompany, { params: { id } })).data;
const runs = async (filter: RunFilter, days = 400) =>
  (
    await technician.call(listJobExecutions, {
      query: { limit: 1, from: daysAgo(days).toISOString(), filter: { companyIds: id, ...filter } },
    })
  ).count;
const faults = (filter: FaultFilter = {}) =>
  technician.call(listFaults, {
    query: { limit: 50, sort: 'fineAt', filter: { companyIds: id, state: ['pending', 'in-progress'], ...filter } },
  });

it.each([
  ['failed', 'Failed'],
  ['warning', 'Warning'],
  ['didntRun', 'DidntRun'],
] as const)('%s counts as many jobs as the list of latest runs has', async (figure, result) => {
  const count = (await page())[figure];
  expect(count).toBeGreaterThan(0);
  expect(await runs({ type: [result], latest: true, state: 'all', ignored: true })).toBe(count);
});

it('pending counts as many runs as the daily checks of 30 days have', async () => {
  const { pending } = await page();
  expect(pending).toBeGreaterThan(0);
  expect(await runs({ state: 'pending', anomaly: true }, 30)).toBe(pending);
});

it.each(FAULT_KINDS)('open faults: %s counts as many as the queue has', async (kind: FaultKind) => {
  const { openFaults, doubtful } = await page();
  expect(openFaults[kind]).toBeGreaterThan(0);
  expect((await faults({ kind: [kind] })).count).toBe(openFaults[kind]);
  if (kind === 'doubtful') expect(doubtful).toBe(openFaults.doubtful);
});

it('the file has as many jobs and open faults', async () => {
  const reply = await technician.send(exportCompanyJobs, { params: { id }, body: { format: 'csv' } });
  const lines = (await reply.text()).trim().split('\r\n').slice(1);
  expect(lines).toHaveLength((await page()).jobs);
  expect(lines.filter((line) => /,(pending|in-progress),/.test(line))).toHaveLength((await faults()).count);
});

it('the job that has waited longest is the first of the queue by that order', async () => {
  const [first] = (await faults({ kind: ['failed', 'missed', 'doubtful'] })).data;
  expect((await page()).longestWithoutFine).toEqual({ jobName: first?.jobName, days: first?.daysWithoutFine });
});

it('a fault of a job that came from another company is with that one alone', async () => {
  const [from, to] = [await buildCompany(portal.database), await buildCompany(portal.database)];
  const moved = await build('Moved', ['Success', 'Failed'], from);
  await execute(portal.database, sql`update jobs set company_id = ${to} where job_instance_uid = ${moved}`);
  expect((await faults({ companyIds: from })).count).toBe(1);
  expect((await faults({ companyIds: to })).count).toBe(0);
  const { data } = await technician.call(getCompany, { params: { id: to } });
  expect(data).toMatchObject({ openFaults: { failed: 0 }, longestWithoutFine: null });
  const reply = await technician.send(exportCompanyJobs, { params: { id: to }, body: { format: 'csv' } });
  expect(await reply.text()).not.toContain('pending');
  await execute(portal.database, sql`update companies set deleted_at = now() where id in (${from}, ${to})`);
});

it('jobs that were removed are in no figure, and do not sort their company as trouble', async () => {
  const { data } = await technician.call(listCompanies, { query: { sort: '-trouble', limit: 50 } });
  expect(data.map(({ _id }) => _id)).toEqual([id, calm]);
  expect(data[1]).toMatchObject({ jobs: 1, failed: 0, warning: 0, didntRun: 0, doubtful: 0 });
});

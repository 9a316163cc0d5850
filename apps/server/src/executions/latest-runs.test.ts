import { ignoreDidntRun, ignoreDisabled } from '@keepwatch/contract/executions/inactive-jobs';
import {
  editJobExecution,
  exportJobExecutions,
  listJobExecutions,
} from '@keepwatch/contract/executions/job-executions';
import { getOverviewStats } from '@keepwatch/contract/insights/insights';
import type { Result } from '@keepwatch/contract/runs/values';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute } from '../foundation/database.ts';
import { ingestRuns } from '../ingest/ingest-runs.ts';
import { findMissedRuns } from '../schedules/missed-runs.ts';
import { type BuiltJob, buildCompany, buildJob, buildSource } from '../testing/builders.ts';
import { daysAgo, lastDays } from '../testing/report-builders.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';

const DAY_MS = 86_400_000;
const KEYS = {
  Success: 'success',
  Warning: 'warning',
  Failed: 'failed',
  Running: 'running',
  DidntRun: 'didntRun',
} as const;
const RESULTS = ['Success', 'Warning', 'Failed', 'Running', 'DidntRun'] as const;

let portal: TestPortal;
let operator: Caller;

beforeAll(async () => {
  portal = await startTestPortal();
  operator = await portal.as('operator');
});
afterAll(() => portal.stop());

type Runs = readonly (readonly [daysAgo: number, result: Exclude<Result, 'DidntRun'>])[];

async function ran(name: string, given: Parameters<typeof buildJob>[1], ...runs: Runs): Promise<BuiltJob> {
  const job = await buildJob(portal.database, { ...given, name });
  const executions = runs.map(([days, result]) => {
    const startedAt = daysAgo(days);
    const endedAt = result === 'Running' ? null : new Date(startedAt.getTime() + 61_234);
    return { jobInstanceUid: job.jobInstanceUid, startedAt, endedAt, result };
  });
  await ingestRuns(portal.database, 1, executions, TEST_NOW);
  return job;
}

type Query = NonNullable<CallRequest<typeof listJobExecutions>['query']>;

/** Returns the names of the jobs in the list. */
async function names(query: Query): Promise<string[]> {
  const { count, data } = await operator.call(listJobExecutions, { query: { limit: 100, sort: 'jobName', ...query } });
  expect(count).toBe(data.length);
  return data.map((run) => run.jobName);
}

describe('the list of latest runs', () => {
  it('has as many runs of each result as the overview counts jobs by last result', async () => {
    const companyId = await buildCompany(portal.database);
    const sourceId = await buildSource(portal.database);
    const one = { companyId, sourceId };
    const daily = { ...one, intervalMs: DAY_MS };
    await ran('recovered', one, [2.1, 'Failed'], [1.1, 'Failed'], [0.1, 'Success']);
    await ran('failed', one, [2.1, 'Success'], [0.2, 'Failed']);
    await ran('failed long before any range', one, [390, 'Success'], [380, 'Failed']);
    await ran('tried twice', one, [0.3, 'Failed'], [0.299, 'Failed']);
    await ran('warned', one, [0.123456, 'Warning']);
    await ran('runs', one, [1.2, 'Failed'], [0.01, 'Running']);
    await ran('planned ahead by a clock that goes wrong', one, [-0.01, 'Warning']);
    await ran('missed', daily, [8.2, 'Success'], [3.2, 'Failed']);
    const leftOut = await ran('missed, left out', daily, [4.2, 'Success']);
    const ignored = await ran('failed, ignored', one, [0.4, 'Failed']);
    await ran('failed, disabled', { ...one, isEnabled: false }, [0.5, 'Failed']);
    const disabled = await ran('disabled, left out', { ...one, isEnabled: false }, [0.5, 'Failed']);
    const removed = await ran('failed, removed', one, [0.5, 'Failed']);
    await ran('never ran', one);
    const away = await buildSource(portal.database, { historyReadTo: daysAgo(2) });
    await ran('console away', { ...daily, sourceId: away }, [2.5, 'Success']);
    await ran('of another company', {}, [0.5, 'Failed']);
    await execute(
      portal.database,
      sql`update jobs set removed_at = ${TEST_NOW} where job_instance_uid = ${removed.jobInstanceUid}`,
    );
    await findMissedRuns(portal.database, TEST_NOW);
    await operator.call(ignoreDidntRun, { params: { jobInstanceUid: leftOut.jobInstanceUid }, body: {} });
    await operator.call(ignoreDisabled, { params: { jobInstanceUid: disabled.jobInstanceUid }, body: {} });
    await ignoreRuns(ignored);

    const query = { ...lastDays(7), filter: { companyIds: companyId } };
    const { data: stats } = await operator.call(getOverviewStats, { query });
    const listed: Partial<Record<Result, string[]>> = {};
    for (const result of RESULTS) listed[result] = await names({ filter: linked(companyId, result) });
    expect(listed).toEqual({
      Success: ['console away', 'missed, left out', 'recovered'],
      Warning: ['planned ahead by a clock that goes wrong', 'warned'],
      Failed: ['failed', 'failed long before any range', 'failed, ignored', 'tried twice'],
      Running: ['runs'],
      DidntRun: ['missed'],
    });
    for (const result of RESULTS) expect([result, stats[KEYS[result]]]).toEqual([result, listed[result]?.length]);
    // A range makes the query check run by run.
    const ever = { from: daysAgo(398).toISOString(), to: daysAgo(-1).toISOString() };
    for (const result of RESULTS)
      expect(await names({ ...ever, filter: linked(companyId, result) })).toEqual(listed[result]);
    expect(stats).toMatchObject({ neverRan: 1, disabled: 1 });
  });

  it('omits failures after which the job succeeded, and respects a requested range', async () => {
    const companyId = await buildCompany(portal.database);
    await ran('recovered', { companyId }, [1.1, 'Failed'], [0.1, 'Success']);
    await ran('still failed', { companyId }, [1.1, 'Failed'], [0.2, 'Failed']);
    await ran('failed last week', { companyId }, [6, 'Failed']);
    const pending = { companyIds: companyId, state: 'pending' } as const;
    expect(await names({ filter: pending })).toEqual(['recovered', 'still failed', 'still failed']);
    expect(await names({ filter: { ...pending, latest: true } })).toEqual(['failed last week', 'still failed']);
    expect(await names({ ...lastDays(2), filter: { ...pending, latest: true } })).toEqual(['still failed']);
  });

  // Runs stay with the company that they ran for, also when their job moves to another one.
  it('has no runs of a company outside the scope', async () => {
    const companyId = await buildCompany(portal.database);
    const [own, moved] = [
      await ran('own', { companyId }, [0.2, 'Failed']),
      await ran('moved', {}, [0.2, 'Failed']),
      await ran('foreign', {}, [0.2, 'Failed']),
    ];
    await execute(
      portal.database,
      sql`update jobs set company_id = ${companyId} where job_instance_uid = ${moved.jobInstanceUid}`,
    );
    const limited = await portal.as('operator', { companyIds: [companyId] });
    const { data } = await limited.call(listJobExecutions, { query: { filter: { latest: true } } });
    expect(data.map((run) => run.jobInstanceUid)).toEqual([own.jobInstanceUid]);
  });

  it('exports the same rows as CSV', async () => {
    const companyId = await buildCompany(portal.database, { name: 'Northwind' });
    await ran('Mail', { companyId }, [1.1, 'Success'], [0.2, 'Failed']);
    const filter = { companyIds: companyId, latest: true };
    const { data, query } = await operator.call(listJobExecutions, { query: { filter } });
    expect(data).toMatchObject([{ jobName: 'Mail', companyName: 'Northwind', startedAt: daysAgo(0.2).toISOString() }]);
    expect(query).toMatchObject({ from: null, to: null });
    const csv = await operator.call(exportJobExecutions, { body: { source: 'JOBS', format: 'csv', filter } });
    expect(csv).toContain(daysAgo(0.2).toISOString());
    expect(csv).not.toContain(daysAgo(1.1).toISOString());
  });
});

function linked(companyId: string, result: Result): Query['filter'] {
  return { companyIds: companyId, type: result, state: 'all', ignored: true, latest: true };
}

async function ignoreRuns({ jobInstanceUid }: BuiltJob): Promise<void> {
  const query = { filter: { jobInstanceUids: jobInstanceUid } };
  const { data } = await operator.call(listJobExecutions, { query });
  for (const { _id: id } of data) await operator.call(editJobExecution, { params: { id }, body: { state: 'ignored' } });
}

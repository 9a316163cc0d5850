import { ignoreDidntRun } from '@keepwatch/contract/executions/inactive-jobs';
import { listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { getOverviewStats } from '@keepwatch/contract/insights/insights';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute } from '../foundation/database.ts';
import { findMissedRuns } from '../schedules/missed-runs.ts';
import { type BuiltJob, buildCompany, buildExecution, buildJob, buildSource } from '../testing/builders.ts';
import { buildDay, dayAgo, daysAgo, lastDays } from '../testing/report-builders.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';

let portal: TestPortal;
let reader: Caller;

beforeAll(async () => {
  portal = await startTestPortal();
  reader = await portal.as('read-only');
});
afterAll(() => portal.stop());

/** Returns the figures of one company, so that tests do not count each other's rows. */
async function figuresOf(companyId: string, days = 1) {
  const query = { ...lastDays(days), filter: { companyIds: companyId } };
  return (await reader.call(getOverviewStats, { query })).data;
}

describe('GET monitoring/reporting/jobs/overview-stats', () => {
  it('200: counts every job once, by its current status', async () => {
    const companyId = await buildCompany(portal.database);
    const build = (given: Parameters<typeof buildJob>[1]) => buildJob(portal.database, { companyId, ...given });
    await build({ lastResult: 'Success' });
    await build({ lastResult: 'Success', overdueAt: daysAgo(-1) });
    await build({ lastResult: 'Warning' });
    await build({ lastResult: 'Failed' });
    await build({ lastResult: 'Running' });
    await build({ lastResult: 'Success', overdueAt: daysAgo(1) });
    await build({ lastResult: 'Failed', isEnabled: false, overdueAt: daysAgo(1) });
    await build({ lastResult: null });

    expect(await figuresOf(companyId)).toMatchObject({
      companies: 1,
      jobs: 8,
      success: 2,
      warning: 1,
      failed: 1,
      running: 1,
      didntRun: 1,
      disabled: 1,
      neverRan: 1,
    });
  });

  it('200: counts jobs of an unreachable console by their last result', async () => {
    const companyId = await buildCompany(portal.database);
    const sourceId = await buildSource(portal.database, { historyReadTo: daysAgo(2) });
    await buildJob(portal.database, { companyId, sourceId, lastResult: 'Success', overdueAt: daysAgo(1) });
    await buildJob(portal.database, { companyId, sourceId, lastResult: 'Success', overdueAt: daysAgo(3) });
    expect(await figuresOf(companyId)).toMatchObject({ didntRun: 1, success: 1 });
  });

  it('200: does not count removed jobs or their stored bytes', async () => {
    const companyId = await buildCompany(portal.database);
    const job = await buildJob(portal.database, { companyId, lastResult: 'Failed' });
    const removed = await buildJob(portal.database, { companyId, lastResult: 'Failed' });
    await store(job, 3_000);
    await store(removed, 5_000);
    await execute(
      portal.database,
      sql`update jobs set removed_at = ${TEST_NOW} where job_instance_uid = ${removed.jobInstanceUid}`,
    );
    expect(await figuresOf(companyId)).toMatchObject({ jobs: 1, failed: 1, backupSizeBytes: 3_000 });
  });

  it('200: counts an overdue job by its last result until its missed run is stored, as the lists do', async () => {
    const companyId = await buildCompany(portal.database);
    await buildJob(portal.database, {
      companyId,
      lastResult: 'Success',
      intervalMs: 86_400_000,
      overdueAt: daysAgo(1),
    });
    await execute(portal.database, sql`update jobs set last_missed_at = null where company_id = ${companyId}`);
    const listed = async () => {
      const filter = { companyIds: companyId, state: 'all', type: 'DidntRun', latest: true } as const;
      return (await reader.call(listJobExecutions, { query: { limit: 5, filter } })).count;
    };
    expect(await figuresOf(companyId)).toMatchObject({ didntRun: 0, success: 1 });
    expect(await listed()).toBe(0);
    await findMissedRuns(portal.database, TEST_NOW);
    expect(await figuresOf(companyId)).toMatchObject({ didntRun: 1, success: 0 });
    expect(await listed()).toBe(1);
  });

  it('200: counts an ignored overdue job by its last result', async () => {
    const companyId = await buildCompany(portal.database);
    const job = await buildJob(portal.database, { companyId, lastResult: 'Success', overdueAt: daysAgo(1) });
    expect(await figuresOf(companyId)).toMatchObject({ didntRun: 1, success: 0 });
    const operator = await portal.as('operator');
    await operator.call(ignoreDidntRun, { params: { jobInstanceUid: job.jobInstanceUid }, body: {} });
    expect(await figuresOf(companyId)).toMatchObject({ didntRun: 0, success: 1 });
  });

  it('200: returns the success rates of the range and of the equally long range before', async () => {
    const job = await buildJob(portal.database);
    const companyId = job.companyId ?? '';
    await buildDay(portal.database, job, dayAgo(0), {
      success: 2,
      warning: 1,
      failed: 1,
      transferredBytes: 700,
      running: 5,
    });
    await buildDay(portal.database, job, dayAgo(1), { success: 3, didntRun: 1, transferredBytes: 300 });
    await buildDay(portal.database, job, dayAgo(2), { success: 1, failed: 1, transferredBytes: 9_000 });
    await buildDay(portal.database, job, dayAgo(4), { failed: 50 });

    const figures = await figuresOf(companyId, 1);
    expect(figures.successRate).toBeCloseTo(5 / 8);
    expect(figures.warningRate).toBeCloseTo(1 / 8);
    expect(figures.successRateBefore).toBeCloseTo(1 / 2);
    expect(figures).toMatchObject({ transferredBytes: 1_000, isTransferredPartial: false });
  });

  it('200: marks a sum of bytes as incomplete when some runs report none, and as unknown when all do', async () => {
    const job = await buildJob(portal.database);
    const companyId = job.companyId ?? '';
    await buildDay(portal.database, job, dayAgo(3), { success: 1, transferredBytes: 5 });
    await buildDay(portal.database, job, dayAgo(1), { success: 30, unmeasured: 30 });
    expect(await figuresOf(companyId, 1)).toMatchObject({ transferredBytes: null, isTransferredPartial: true });
    await buildDay(portal.database, job, dayAgo(0), { success: 1, transferredBytes: 700 });
    expect(await figuresOf(companyId, 1)).toMatchObject({ transferredBytes: 700, isTransferredPartial: true });
  });

  it('200: does not count warnings as successes in either range', async () => {
    const job = await buildJob(portal.database);
    await buildDay(portal.database, job, dayAgo(0), { success: 1, warning: 3 });
    await buildDay(portal.database, job, dayAgo(2), { warning: 4 });
    expect(await figuresOf(job.companyId ?? '', 1)).toMatchObject({
      successRate: 0.25,
      warningRate: 0.75,
      successRateBefore: 0,
    });
  });

  it('200: counts jobs without a company, so that the figures add up', async () => {
    await buildJob(portal.database, { companyId: null, sourceGroup: 'public-cloud-vms', lastResult: 'Success' });
    await buildJob(portal.database, { companyId: null, sourceGroup: 'public-cloud-vms', isEnabled: false });
    await buildJob(portal.database, { sourceGroup: 'public-cloud-vms', lastResult: 'Failed' });
    const query = { ...lastDays(1), filter: { source: ['public-cloud-vms' as const] } };
    const { data } = await reader.call(getOverviewStats, { query });
    expect(data).toMatchObject({ jobs: 3, jobsWithoutCompany: 2, companies: 1 });
  });

  it('200: returns no rate, instead of 0, when nothing ran', async () => {
    const figures = await figuresOf(await buildCompany(portal.database));
    expect(figures).toMatchObject({
      jobs: 0,
      companies: 0,
      jobsWithoutCompany: 0,
      successRate: null,
      warningRate: null,
      successRateBefore: null,
      transferredBytes: 0,
      isTransferredPartial: false,
    });
  });

  it('200: counts the pending executions of the range', async () => {
    const job = await buildJob(portal.database);
    await buildExecution(portal.database, job, { startedAt: daysAgo(0.5) });
    await buildExecution(portal.database, job, { startedAt: daysAgo(0.6), result: 'Success' });
    await buildExecution(portal.database, job, { startedAt: daysAgo(0.7), state: 'in-progress' });
    await buildExecution(portal.database, job, { startedAt: daysAgo(3) });
    expect((await figuresOf(job.companyId ?? '', 1)).pending).toBe(1);
  });

  it('200: returns zeros for a company of another provider', async () => {
    const job = await buildJob(portal.database, { providerId: 2, lastResult: 'Failed' });
    expect(await figuresOf(job.companyId ?? '')).toMatchObject({ jobs: 0, failed: 0 });
  });

  it('422: refuses a range that ends before it begins, spans years, or has no begin', async () => {
    const { from, to } = lastDays(1);
    for (const query of [
      { from: to, to: from },
      { from: '2020-01-01T00:00:00.000Z', to },
    ]) {
      const response = await reader.send(getOverviewStats, { query });
      expect(response.status).toBe(422);
    }
    const response = await reader.raw(
      'GET',
      '/api/monitoring/reporting/jobs/overview-stats?to="2026-01-01T00:00:00.000Z"',
    );
    expect(response.status).toBe(422);
    expect((await response.json()).errors).toMatchObject([{ path: 'query.from' }]);
  });
});

function store(job: BuiltJob, bytes: number): Promise<number> {
  return execute(
    portal.database,
    sql`update jobs set backup_size_bytes = ${bytes} where job_instance_uid = ${job.jobInstanceUid}`,
  );
}

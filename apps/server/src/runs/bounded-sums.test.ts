import { getOverviewStats } from '@keepwatch/contract/insights/insights';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { execute, rows, transaction } from '../foundation/database.ts';
import { adoptExecutions } from '../ingest/adopt-executions.ts';
import { ingestRuns } from '../ingest/ingest-runs.ts';
import { forgetEverythingIngested } from '../ingest/recount.fixture.ts';
import { lockExecutions } from '../schedules/job-state.ts';
import { buildCompany, buildJob } from '../testing/builders.ts';
import { startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import { BYTES_MAX, type NewRun } from './new-run.ts';

const FULL = '9223372036854775807';
const SUMS = ['job_days', 'company_days', 'provider_days'];

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());
beforeEach(() => forgetEverythingIngested(portal.database));

function run(jobInstanceUid: string, minutesAgo: number, transferredBytes: number): NewRun {
  const startedAt = new Date(TEST_NOW.getTime() - minutesAgo * 60_000);
  return { jobInstanceUid, startedAt, endedAt: startedAt, result: 'Success', transferredBytes };
}

/** Makes every sum of a day as large as it can be, as absurd runs did before they were refused. */
async function fillSums(): Promise<void> {
  for (const table of SUMS) await portal.database.query(`update ${table} set transferred_bytes = ${FULL}`);
}

async function sums(): Promise<string[]> {
  const all = sql.join(
    SUMS.map((table) => sql`select transferred_bytes::text as sum from ${sql.raw(table)}`),
    sql` union all `,
  );
  return (await rows<{ sum: string }>(portal.database, all)).map(({ sum }) => sum);
}

it('ingests a run of a day whose sums are full: they stay full and never fail', async () => {
  const { jobInstanceUid } = await buildJob(portal.database);
  await ingestRuns(portal.database, 1, [run(jobInstanceUid, 60, 1)], TEST_NOW);
  await fillSums();
  const { added } = await ingestRuns(portal.database, 1, [run(jobInstanceUid, 30, BYTES_MAX)], TEST_NOW);
  expect(added).toBe(1);
  expect(await sums()).toEqual([FULL, FULL, FULL]);
});

it('ingests more runs of the largest amount in one day than a sum can hold', async () => {
  const { jobInstanceUid } = await buildJob(portal.database);
  const runs = Array.from({ length: 9_300 }, (_, index) => run(jobInstanceUid, 3 * 60 - index / 60, BYTES_MAX));
  const { added } = await ingestRuns(portal.database, 1, runs, TEST_NOW);
  expect(added).toBe(9_300);
  expect(await sums()).toEqual([FULL, FULL, FULL]);
});

it('moves full sums to the company that their jobs turn out to belong to', async () => {
  const companyId = await buildCompany(portal.database);
  const jobs = await Promise.all([1, 2].map(() => buildJob(portal.database, { companyId: null })));
  for (const { jobInstanceUid } of jobs) await ingestRuns(portal.database, 1, [run(jobInstanceUid, 60, 1)], TEST_NOW);
  await fillSums();
  await transaction(portal.database, async (connection) => {
    await lockExecutions(connection, 1);
    await adoptExecutions(
      connection,
      1,
      jobs.map(({ jobInstanceUid }) => ({ uid: jobInstanceUid, companyId })),
    );
  });
  const own = sql`select transferred_bytes::text as sum from company_days where company_id = ${companyId}`;
  expect(await rows(portal.database, own)).toEqual([{ sum: FULL }]);
});

it('shows full sums as the largest number that is exact', async () => {
  const { jobInstanceUid } = await buildJob(portal.database);
  await ingestRuns(portal.database, 1, [run(jobInstanceUid, 60, 1), run(jobInstanceUid, 60 * 30, 1)], TEST_NOW);
  await fillSums();
  await execute(portal.database, sql`update jobs set backup_size_bytes = ${FULL}::bigint`);
  const { data } = await (await portal.as('admin')).call(getOverviewStats, {
    query: { from: '2026-03-01T00:00:00Z', to: TEST_NOW.toISOString() },
  });
  expect(data.transferredBytes).toBe(Number.MAX_SAFE_INTEGER);
  expect(data.backupSizeBytes).toBe(Number.MAX_SAFE_INTEGER);
});

import { readFile } from 'node:fs/promises';
import { exportJobExecutions, getJobExecution, listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { rankDuration } from '@keepwatch/contract/insights/insights';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, rows } from '../foundation/database.ts';
import { ingestRuns } from '../ingest/ingest-runs.ts';
import { type BuiltJob, buildJob } from '../testing/builders.ts';
import { lastDays } from '../testing/report-builders.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import type { NewRun } from './new-run.ts';

const MINUTE_MS = 60_000;
const MIGRATION = new URL('../../migrations/0008_whole_durations.sql', import.meta.url);
let portal: TestPortal;
let reader: Caller;
let job: BuiltJob;

beforeAll(async () => {
  portal = await startTestPortal();
  reader = await portal.as('read-only');
});
beforeEach(async () => {
  job = await buildJob(portal.database);
});
afterAll(() => portal.stop());

/** A run that started so many minutes before now and took so many. */
function run(minutesAgo: number, minutes: number, given: Partial<NewRun> = {}): NewRun {
  const startedAt = new Date(TEST_NOW.getTime() - minutesAgo * MINUTE_MS);
  const endedAt = new Date(startedAt.getTime() + minutes * MINUTE_MS);
  return { jobInstanceUid: job.jobInstanceUid, startedAt, endedAt, result: 'Success', ...given };
}

/** Three attempts within 26 minutes, of which the last took 2, and a run of one attempt that took 5. */
async function ingestBoth(): Promise<void> {
  const failed = { result: 'Failed' } as const;
  await ingestRuns(portal.database, 1, [run(100, 5), run(60, 3, failed), run(50, 3, failed), run(36, 2)], TEST_NOW);
}

const filter = () => ({ jobInstanceUids: job.jobInstanceUid, state: 'all' as const });

describe('the duration of a run that took several attempts', () => {
  it('is from the start of the first to the end of the last, in the list, the file, the run itself and the ranking', async () => {
    await ingestBoth();
    const { data } = await reader.call(listJobExecutions, { query: { filter: filter() } });
    expect(data.map(({ attempts, durationMs }) => [attempts, durationMs])).toEqual([
      [3, 26 * MINUTE_MS],
      [1, 5 * MINUTE_MS],
    ]);
    const [retried, single] = data;
    const detail = async (id = '') => (await reader.call(getJobExecution, { params: { id } })).data;
    const of = await detail(retried?._id);
    expect(of).toMatchObject({ durationMs: 26 * MINUTE_MS, lastAttemptMs: 2 * MINUTE_MS, attempts: 3 });
    expect(of.pastRuns.map(({ durationMs }) => durationMs)).toEqual([5 * MINUTE_MS, 26 * MINUTE_MS]);
    expect(await detail(single?._id)).toMatchObject({ durationMs: 5 * MINUTE_MS, lastAttemptMs: 5 * MINUTE_MS });

    const body = { source: 'JOBS', format: 'csv', filter: filter() } as const;
    const csv = await reader.call(exportJobExecutions, { body });
    const [header = [], ...lines] = csv.split('\r\n').map((line) => line.split(','));
    const durations = lines.filter(({ length }) => length > 1).map((line) => line[header.indexOf('Duration (ms)')]);
    expect(durations).toEqual(['1560000', '300000']);

    const ranked = await reader.call(rankDuration, {
      query: { ...lastDays(1), filter: { companyIds: job.companyId ?? '' } },
    });
    expect(ranked.data.map(({ value }) => value)).toEqual([26 * MINUTE_MS]);
  });

  it('orders the list', async () => {
    await ingestBoth();
    const { data } = await reader.call(listJobExecutions, { query: { filter: filter(), sort: 'durationMs' } });
    expect(data.map(({ attempts }) => attempts)).toEqual([1, 3]);
  });

  it('is not known while an attempt is running', async () => {
    await ingestRuns(
      portal.database,
      1,
      [run(60, 3, { result: 'Failed' }), run(50, 0, { result: 'Running', endedAt: null })],
      TEST_NOW,
    );
    const { data } = await reader.call(listJobExecutions, { query: { filter: filter() } });
    expect(data).toMatchObject([{ attempts: 2, result: 'Running', durationMs: null }]);
  });

  it('is the longest of its day also where an earlier version stored that of the last attempt', async () => {
    await ingestBoth();
    const longest = () =>
      rows(portal.database, sql`select duration_ms_max from job_days where job_instance_uid = ${job.jobInstanceUid}`);
    const whole = await longest();
    expect(whole).toEqual([{ duration_ms_max: 26 * MINUTE_MS }]);
    await execute(portal.database, sql`update job_days set duration_ms_max = ${5 * MINUTE_MS}`);
    await portal.database.query(await readFile(MIGRATION, 'utf8'));
    expect(await longest()).toEqual(whole);
  });
});

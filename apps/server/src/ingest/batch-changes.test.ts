import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, row } from '../foundation/database.ts';
import type { NewRun } from '../runs/new-run.ts';
import { buildJob } from '../testing/builders.ts';
import { startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import { ingestRuns } from './ingest-runs.ts';
import { rollupsAndRecount } from './recount.fixture.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** With three jobs, each is a slice of its own. */
const RUNS_OF_A_JOB = 1_100;

let portal: TestPortal;
let uids: string[];

beforeAll(async () => {
  portal = await startTestPortal();
  const jobs = [await buildJob(portal.database), await buildJob(portal.database), await buildJob(portal.database)];
  uids = jobs.map((job) => job.jobInstanceUid).sort();
});
afterAll(() => portal.stop());

/** Runs of which the newest began `newestMs` before now. */
function runsOf(jobInstanceUid: string, count: number, newestMs: number, apartMs: number): NewRun[] {
  return Array.from({ length: count }, (_, run) => {
    const startedAt = new Date(TEST_NOW.getTime() - newestMs - (count - 1 - run) * apartMs);
    return { jobInstanceUid, startedAt, endedAt: new Date(startedAt.getTime() + 10_000), result: 'Success' };
  });
}

const ingest = (executions: NewRun[]) => ingestRuns(portal.database, 1, executions, TEST_NOW);
const counted = () =>
  row(
    portal.database,
    sql`select count(*) as executions, (select count(*) from jobs where last_started_at is not null) as jobs from job_executions`,
  );

it('writes a batch of several slices with sums that equal a count and the state of every job', async () => {
  const ingested = await ingest(uids.flatMap((uid) => runsOf(uid, RUNS_OF_A_JOB, 24 * HOUR_MS, HOUR_MS)));
  expect(ingested).toEqual({ added: 3 * RUNS_OF_A_JOB, changed: 0, refused: [] });
  expect(await counted()).toEqual({ executions: 3 * RUNS_OF_A_JOB, jobs: 3 });
  const { stored, counted: recounted } = await rollupsAndRecount(portal.database);
  expect(stored).toEqual(recounted);
});

it('rolls back all slices when a later one cannot be written, and ingests the whole batch again', async () => {
  // The state of the last slice's job does not match its rows: the slice fails on a row that already exists.
  await execute(
    portal.database,
    sql`update jobs set last_execution_id = null, last_started_at = null, last_ended_at = null, last_result = null, baseline = null
        where job_instance_uid = ${uids[2] ?? ''}`,
  );
  const fresh = uids.slice(0, 2).flatMap((uid) => runsOf(uid, RUNS_OF_A_JOB, MINUTE_MS, MINUTE_MS));
  const ingested = await ingest([...fresh, ...runsOf(uids[2] ?? '', RUNS_OF_A_JOB + 1, 23 * HOUR_MS, HOUR_MS)]);
  expect(ingested).toEqual({ added: 2 * RUNS_OF_A_JOB + 1, changed: 0, refused: [] });
  expect(await counted()).toEqual({ executions: 5 * RUNS_OF_A_JOB + 1, jobs: 3 });
  const { stored, counted: recounted } = await rollupsAndRecount(portal.database);
  expect(stored).toEqual(recounted);
});

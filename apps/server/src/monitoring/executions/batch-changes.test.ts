import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, row } from '../../foundation/database.ts';
import { buildJob } from '../../testing/builders.ts';
import { startTestPortal, TEST_NOW, type TestPortal } from '../../testing/test-portal.ts';
import type { NewExecution } from './new-execution.ts';
import { rollupsAndRecount } from './recount.fixture.ts';
import { takeExecutions } from './take-executions.ts';

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
function runsOf(jobInstanceUid: string, count: number, newestMs: number, apartMs: number): NewExecution[] {
  return Array.from({ length: count }, (_, run) => {
    const startedAt = new Date(TEST_NOW.getTime() - newestMs - (count - 1 - run) * apartMs);
    return { jobInstanceUid, startedAt, endedAt: new Date(startedAt.getTime() + 10_000), result: 'Success' };
  });
}

const take = (executions: NewExecution[]) => takeExecutions(portal.database, 1, executions, TEST_NOW);
const counted = () =>
  row(
    portal.database,
    sql`select count(*) as executions, (select count(*) from jobs where last_started_at is not null) as jobs from job_executions`,
  );

it('writes a batch of several slices with sums that equal a count and a memory of every job', async () => {
  const taken = await take(uids.flatMap((uid) => runsOf(uid, RUNS_OF_A_JOB, 24 * HOUR_MS, HOUR_MS)));
  expect(taken).toEqual({ added: 3 * RUNS_OF_A_JOB, changed: 0, refused: [] });
  expect(await counted()).toEqual({ executions: 3 * RUNS_OF_A_JOB, jobs: 3 });
  const { kept, counted: recounted } = await rollupsAndRecount(portal.database);
  expect(kept).toEqual(recounted);
});

it('takes all slices back when a later one cannot be written, and takes the batch in again as a whole', async () => {
  // What the job of the last slice remembers does not fit its rows: its slice fails on a row that is there already.
  await execute(
    portal.database,
    sql`update jobs set last_execution_id = null, last_started_at = null, last_ended_at = null, last_result = null, baseline = null
        where job_instance_uid = ${uids[2] ?? ''}`,
  );
  const fresh = uids.slice(0, 2).flatMap((uid) => runsOf(uid, RUNS_OF_A_JOB, MINUTE_MS, MINUTE_MS));
  const taken = await take([...fresh, ...runsOf(uids[2] ?? '', RUNS_OF_A_JOB + 1, 23 * HOUR_MS, HOUR_MS)]);
  expect(taken).toEqual({ added: 2 * RUNS_OF_A_JOB + 1, changed: 0, refused: [] });
  expect(await counted()).toEqual({ executions: 5 * RUNS_OF_A_JOB + 1, jobs: 3 });
  const { kept, counted: recounted } = await rollupsAndRecount(portal.database);
  expect(kept).toEqual(recounted);
});

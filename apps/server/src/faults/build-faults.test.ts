import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { execute, rows } from '../foundation/database.ts';
import { ingestRuns } from '../ingest/ingest-runs.ts';
import { faultsAndRecount } from '../runs/faults/recount.fixture.ts';
import { type BuiltJob, buildExecution, buildJob } from '../testing/builders.ts';
import { daysAgo } from '../testing/report-builders.ts';
import { startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import { buildFaults } from './build-faults.ts';

let portal: TestPortal;
let jobs: BuiltJob[];

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

/** 25 jobs with runs of a version that knew no faults. */
beforeEach(async () => {
  await portal.database.query('truncate job_executions, faults, job_ignores, jobs');
  jobs = [];
  for (let number = 0; number < 25; number += 1) {
    const job = await buildJob(portal.database, { lastResult: number < 3 ? 'Failed' : 'Success', companyId: null });
    jobs.push(job);
    for (const [day, result] of [
      [5, 'Failed'],
      [4, 'Warning'],
      [3, 'Success'],
      [2, 'Failed'],
    ] as const)
      await buildExecution(portal.database, job, { startedAt: daysAgo(day), result, message: 'The disk is full' });
  }
  await execute(portal.database, sql`update jobs set are_faults_known = false`);
});

const unknown = () => rows(portal.database, sql`select from jobs where not are_faults_known`);

it('finds the faults of earlier runs, once', async () => {
  expect(await buildFaults(portal.database, new AbortController().signal)).toBe(25);
  const { stored, counted } = await faultsAndRecount(portal.database);
  expect(stored).toHaveLength(50);
  expect(stored).toEqual(counted);
  expect(await unknown()).toEqual([]);
  expect(await buildFaults(portal.database, new AbortController().signal)).toBe(0);
});

it('goes on where it was interrupted, with what was ingested meanwhile', async () => {
  const ended = new AbortController();
  ended.abort();
  expect(await buildFaults(portal.database, ended.signal)).toBe(0);
  const [job] = jobs;
  if (job === undefined) throw new Error('no job');
  const run = {
    jobInstanceUid: job.jobInstanceUid,
    startedAt: daysAgo(1),
    endedAt: daysAgo(0.9),
    result: 'Failed' as const,
  };
  await ingestRuns(portal.database, 1, [run], TEST_NOW);
  expect(await buildFaults(portal.database, new AbortController().signal)).toBe(25);
  const { stored, counted } = await faultsAndRecount(portal.database);
  expect(stored).toEqual(counted);
});

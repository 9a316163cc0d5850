import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { declareJob, work } from './jobs.ts';
import { openLog } from './log.ts';
import { type OpenQueue, openQueue } from './queue.ts';

const common = { payload: z.object({}), concurrency: 1, timeLimitSeconds: 10 };
const failing = declareJob({ name: 'lamps.light', ...common });
const waiting = declareJob({ name: 'lamps.wait', ...common });

let database: TestDatabase;
let queue: OpenQueue;

beforeAll(async () => {
  database = await createTestDatabase();
  const tuning = { superviseIntervalSeconds: 1, monitorIntervalSeconds: 1 };
  const jobs = [failing, waiting];
  queue = await openQueue(database.url, openLog('silent', 'test'), { jobs, runsJobs: true, tuning });
});
afterAll(async () => {
  await queue.stop();
  await database.drop();
});

it('counts the jobs that wait and those that failed, and names the latter', async () => {
  const broken = work(failing, async () => {
    throw new Error('The lamp is broken.');
  });
  await queue.run([broken], { database: database.pool, now: () => new Date() });
  await queue.send(database.pool, failing, {});
  await queue.send(database.pool, waiting, {});
  const expected = { waiting: 1, running: 0, failed: 1, failing: [{ name: 'lamps.light', failed: 1 }] };
  await expect.poll(() => queue.figures()).toEqual(expected);
});

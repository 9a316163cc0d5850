import { afterAll, beforeAll, expect, it } from 'vitest';
import { ingestRuns } from '../ingest/ingest-runs.ts';
import { buildJob, buildSource } from '../testing/builders.ts';
import { startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import { type JobStarts, type PageMax, pagesOfStarts } from './history-gaps.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let portal: TestPortal;
let sourceId: string;
/** How many runs each job has, in the order of the jobs' ids. */
let runs: number[];

beforeAll(async () => {
  portal = await startTestPortal();
  sourceId = await buildSource(portal.database);
  const counts = [3, 0, 40, 5, 5, 1, 12];
  const jobs = await Promise.all(counts.map(() => buildJob(portal.database, { sourceId, intervalMs: DAY_MS })));
  jobs.sort((one, other) => (one.jobInstanceUid < other.jobInstanceUid ? -1 : 1));
  for (const [index, { jobInstanceUid }] of jobs.entries()) {
    const executions = Array.from({ length: counts[index] ?? 0 }, (_, hours) => {
      const startedAt = new Date(TEST_NOW.getTime() - (hours + 1) * HOUR_MS);
      return { jobInstanceUid, startedAt, endedAt: startedAt, result: 'Success' as const };
    });
    await ingestRuns(portal.database, 1, executions, TEST_NOW);
  }
  runs = counts.filter((count) => count > 0);
});
afterAll(() => portal.stop());

async function pages(pageMax?: PageMax): Promise<number[][]> {
  const range = { from: new Date(TEST_NOW.getTime() - 100 * DAY_MS), to: TEST_NOW };
  const all: JobStarts[][] = [];
  for await (const page of pagesOfStarts(portal.database, { providerId: 1, id: sourceId }, range, pageMax))
    all.push(page);
  return all.map((page) => page.map(({ ran }) => ran?.length ?? 0));
}

it('reads all starts of every job that can be overdue', async () => {
  expect(await pages()).toEqual([runs]);
});

it('adds no further job to a page once it has enough starts', async () => {
  expect(await pages({ jobs: 100, starts: 10 })).toEqual([
    [3, 40],
    [5, 5],
    [1, 12],
  ]);
  expect(await pages({ jobs: 100, starts: 1 })).toEqual([[3], [40], [5], [5], [1], [12]]);
});

it('reads at most the given number of jobs per page', async () => {
  expect(await pages({ jobs: 2, starts: 1_000 })).toEqual([
    [3, 40],
    [5, 5],
    [1, 12],
  ]);
});

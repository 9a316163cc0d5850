import { readFile } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { execute, rows } from '../foundation/database.ts';
import { ingestRuns } from '../ingest/ingest-runs.ts';
import { buildJob, buildSource } from '../testing/builders.ts';
import { startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import { findMissedRuns } from './missed-runs.ts';

const HOUR_MS = 3_600_000;
const MIGRATION = new URL('../../migrations/0004_expected_starts.sql', import.meta.url);

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

/** Intervals of schedules, or none, and how many hours ago each job ran. */
const JOBS: [name: string, intervalMs: number | null, hoursAgo: number[]][] = [
  ['daily', 24 * HOUR_MS, [60]],
  ['every twenty minutes', HOUR_MS / 3, [2]],
  ['every seven seconds', 7_000, [2, 3, 4, 5, 6]],
  ['six hours by its runs', null, [45, 39, 33, 26.5, 21]],
  ['three hours by an even number of its runs', null, [20, 17, 14, 10, 7.2, 4]],
  ['too few runs', null, [45, 39]],
  ['never ran', 24 * HOUR_MS, []],
];

it('migrates jobs of an earlier version with their expected start and their last missed run', async () => {
  const sourceId = await buildSource(portal.database);
  for (const [name, intervalMs, hoursAgo] of JOBS) {
    const { jobInstanceUid } = await buildJob(portal.database, { sourceId, name, intervalMs });
    const runs = hoursAgo.map((hours) => {
      const startedAt = new Date(TEST_NOW.getTime() - hours * HOUR_MS);
      return { jobInstanceUid, startedAt, endedAt: startedAt, result: 'Success' as const };
    });
    await ingestRuns(portal.database, 1, runs, TEST_NOW);
  }
  await findMissedRuns(portal.database, TEST_NOW);
  const jobStates = () =>
    rows<{ name: string; expected_at: string | null; last_missed_at: string | null }>(
      portal.database,
      sql`select name, expected_at, last_missed_at from jobs order by name`,
    );
  const known = await jobStates();
  expect(known.filter((job) => job.expected_at !== null).length).toBeGreaterThan(3);
  expect(known.filter((job) => job.last_missed_at !== null).length).toBeGreaterThan(2);
  await execute(portal.database, sql`update jobs set expected_at = null, last_missed_at = null`);
  const statements = (await readFile(MIGRATION, 'utf8')).split('--> statement-breakpoint');
  for (const statement of statements.slice(1)) await portal.database.query(statement);
  expect(await jobStates()).toEqual(known);
});

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rows } from '../foundation/database.ts';
import { ingestRuns } from '../ingest/ingest-runs.ts';
import { buildJob } from '../testing/builders.ts';
import { startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import type { NewRun } from './new-run.ts';

const MINUTE_MS = 60_000;
const RUNS = 4_000;

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

test('a first sync is planned with statistics of the runs that it has just written', async () => {
  const { jobInstanceUid } = await buildJob(portal.database, {});
  const runs = Array.from({ length: RUNS }, (_, at): NewRun => {
    const startedAt = new Date(TEST_NOW.getTime() - (at + 1) * MINUTE_MS);
    return { jobInstanceUid, startedAt, endedAt: startedAt, result: 'Success' };
  });
  await ingestRuns(portal.database, 1, runs, TEST_NOW, RUNS / 4);
  const months = await rows<{ name: string; tuples: number }>(
    portal.database,
    sql`select c.relname as name, c.reltuples::float8 as tuples from pg_class c join pg_inherits i on i.inhrelid = c.oid
        where i.inhparent = 'job_executions'::regclass and pg_relation_size(c.oid) > 20 * 8192`,
  );
  expect(months).not.toEqual([]);
  for (const { tuples } of months) expect(tuples).toBeGreaterThan(0);
});

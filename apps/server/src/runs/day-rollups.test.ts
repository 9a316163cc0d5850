import { readFile } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { rows } from '../foundation/database.ts';
import { ingestRuns } from '../ingest/ingest-runs.ts';
import { forgetEverythingIngested, rollupsAndRecount } from '../ingest/recount.fixture.ts';
import { type BuiltJob, buildJob } from '../testing/builders.ts';
import { startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import type { NewRun } from './new-run.ts';

const HOUR_MS = 3_600_000;
const MIGRATION = new URL('../../migrations/0005_unmeasured_runs.sql', import.meta.url);

let portal: TestPortal;
let job: BuiltJob;
let unowned: BuiltJob;

beforeAll(async () => {
  portal = await startTestPortal();
  job = await buildJob(portal.database);
  unowned = await buildJob(portal.database, { companyId: null });
});
afterAll(() => portal.stop());
beforeEach(() => forgetEverythingIngested(portal.database));

function run(of: BuiltJob, hoursAgo: number, given: Partial<NewRun>): NewRun {
  const startedAt = new Date(TEST_NOW.getTime() - hoursAgo * HOUR_MS);
  return { jobInstanceUid: of.jobInstanceUid, startedAt, endedAt: startedAt, result: 'Success', ...given };
}

const ingest = (...runs: NewRun[]) => ingestRuns(portal.database, 1, runs, TEST_NOW);

async function unmeasured(): Promise<number[]> {
  const stored = await rows<{ unmeasured: number }>(
    portal.database,
    sql`select unmeasured from provider_days order by day`,
  );
  return stored.map((day) => day.unmeasured);
}

it('counts runs that did not report their bytes as unmeasured, unless they failed or are running', async () => {
  await ingest(
    run(job, 5, {}),
    run(job, 4, { result: 'Warning' }),
    run(job, 3, { result: 'Failed' }),
    run(job, 2, { transferredBytes: 0 }),
    run(job, 1, { result: 'Running', endedAt: null }),
  );
  expect(await unmeasured()).toEqual([2]);
});

it('stops counting a run as unmeasured once its bytes are reported', async () => {
  await ingest(run(job, 5, {}));
  expect(await unmeasured()).toEqual([1]);
  await ingest(run(job, 5, { transferredBytes: 700 }));
  expect(await unmeasured()).toEqual([0]);
});

it('counts the unmeasured runs of an earlier version in the migration', async () => {
  const ofAll = [job, unowned].flatMap((one) => [5, 30, 31].map((hours) => run(one, hours, {})));
  await ingest(...ofAll, run(job, 50, { transferredBytes: 3 }));
  for (const table of ['job_days', 'company_days', 'provider_days'])
    await portal.database.query(`alter table ${table} drop column unmeasured`);
  for (const statement of (await readFile(MIGRATION, 'utf8')).split('--> statement-breakpoint'))
    await portal.database.query(statement);
  const { stored, counted } = await rollupsAndRecount(portal.database);
  expect(stored).toEqual(counted);
  expect(await unmeasured()).toEqual([0, 4, 2]);
});

import { readFile } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { rows } from '../../foundation/database.ts';
import { type BuiltJob, buildJob } from '../../testing/builders.ts';
import { startTestPortal, TEST_NOW, type TestPortal } from '../../testing/test-portal.ts';
import type { NewExecution } from './new-execution.ts';
import { forgetEverythingTaken, rollupsAndRecount } from './recount.fixture.ts';
import { takeExecutions } from './take-executions.ts';

const HOUR_MS = 3_600_000;
const MIGRATION = new URL('../../../migrations/0005_unmeasured_runs.sql', import.meta.url);

let portal: TestPortal;
let job: BuiltJob;
let nobodys: BuiltJob;

beforeAll(async () => {
  portal = await startTestPortal();
  job = await buildJob(portal.database);
  nobodys = await buildJob(portal.database, { companyId: null });
});
afterAll(() => portal.stop());
beforeEach(() => forgetEverythingTaken(portal.database));

function run(of: BuiltJob, hoursAgo: number, given: Partial<NewExecution>): NewExecution {
  const startedAt = new Date(TEST_NOW.getTime() - hoursAgo * HOUR_MS);
  return { jobInstanceUid: of.jobInstanceUid, startedAt, endedAt: startedAt, result: 'Success', ...given };
}

const take = (...runs: NewExecution[]) => takeExecutions(portal.database, 1, runs, TEST_NOW);

async function unmeasured(): Promise<number[]> {
  const kept = await rows<{ unmeasured: number }>(
    portal.database,
    sql`select unmeasured from provider_days order by day`,
  );
  return kept.map((day) => day.unmeasured);
}

it('count the runs that did their work and did not tell their bytes: none that failed, runs, or moved nothing', async () => {
  await take(
    run(job, 5, {}),
    run(job, 4, { result: 'Warning' }),
    run(job, 3, { result: 'Failed' }),
    run(job, 2, { transferredBytes: 0 }),
    run(job, 1, { result: 'Running', endedAt: null }),
  );
  expect(await unmeasured()).toEqual([2]);
});

it('count a run no more once its bytes are told', async () => {
  await take(run(job, 5, {}));
  expect(await unmeasured()).toEqual([1]);
  await take(run(job, 5, { transferredBytes: 700 }));
  expect(await unmeasured()).toEqual([0]);
});

it('of an earlier version count these runs afterwards as if they always had', async () => {
  const ofAll = [job, nobodys].flatMap((one) => [5, 30, 31].map((hours) => run(one, hours, {})));
  await take(...ofAll, run(job, 50, { transferredBytes: 3 }));
  for (const table of ['job_days', 'company_days', 'provider_days'])
    await portal.database.query(`alter table ${table} drop column unmeasured`);
  for (const statement of (await readFile(MIGRATION, 'utf8')).split('--> statement-breakpoint'))
    await portal.database.query(statement);
  const { kept, counted } = await rollupsAndRecount(portal.database);
  expect(kept).toEqual(counted);
  expect(await unmeasured()).toEqual([0, 4, 2]);
});

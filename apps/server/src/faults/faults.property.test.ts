import { STATES } from '@keepwatch/contract/runs/values';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tries } from '../../../../tools/soak.ts';
import { changeExecutions } from '../executions/execution-changes.ts';
import { endExpiredIgnores } from '../executions/expired-ignores.ts';
import { ingestSharedRuns, readSharedRuns } from '../executions/shared-runs.ts';
import { type Connection, execute, rows, transaction } from '../foundation/database.ts';
import { Scope } from '../foundation/scope.ts';
import { ingestRuns } from '../ingest/ingest-runs.ts';
import { forgetEverythingIngested } from '../ingest/recount.fixture.ts';
import { followRemovals } from '../runs/faults/follow-removals.ts';
import { faultsAndRecount } from '../runs/faults/recount.fixture.ts';
import type { NewRun } from '../runs/new-run.ts';
import { executionsLock } from '../schedules/job-state.ts';
import { findMissedRuns } from '../schedules/missed-runs.ts';
import { removeJobs } from '../schedules/removed-jobs.ts';
import { type BuiltJob, buildJob } from '../testing/builders.ts';
import { startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import { buildFaults } from './build-faults.ts';

const HOUR_MS = 3_600_000;
const START_MS = TEST_NOW.getTime() - 3 * 24 * HOUR_MS;
const SCOPE = new Scope(1, null);
const AUTHOR = { userId: '00000000-0000-4000-8000-00000000000a', username: 'ada', at: TEST_NOW };
const SETTINGS = { numRuns: tries(15, 150), endOnFailure: true };

let portal: TestPortal;
let jobs: BuiltJob[];

beforeAll(async () => {
  portal = await startTestPortal();
  jobs = [
    await buildJob(portal.database, { name: 'Every two hours', intervalMs: 2 * HOUR_MS }),
    await buildJob(portal.database, { name: 'Without a schedule', companyId: null }),
  ];
});
afterAll(() => portal.stop());

/** A run is known by its hour; reported again, it may have ended otherwise. */
const report = fc.record({
  job: fc.nat({ max: 1 }),
  hour: fc.nat({ max: 60 }),
  result: fc.constantFrom<NewRun['result'][]>('Success', 'Success', 'Failed', 'Warning', 'Running'),
  message: fc.option(fc.constantFrom('Disk 5 is full', 'Cannot reach host DC01: refused', 'No new restore point')),
});
const step = fc.oneof(
  { weight: 5, arbitrary: fc.array(report, { minLength: 1, maxLength: 6 }).map((reports) => ({ reports })) },
  fc.record({
    edited: fc.nat(),
    state: fc.constantFrom(...STATES),
    isNoted: fc.boolean(),
    hours: fc.option(fc.integer({ min: -70, max: 5 })),
  }),
  fc.record({ shared: fc.array(report, { minLength: 1, maxLength: 3 }) }),
  fc.record({ removed: fc.nat({ max: 1 }) }),
  fc.record({ returned: fc.nat({ max: 1 }) }),
  fc.constantFrom({ misses: true }, { expires: true }, { forgets: true }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function runOf({ job, hour, result, message }: typeof report extends fc.Arbitrary<infer T> ? T : never): NewRun[] {
  const startedAt = new Date(START_MS + hour * HOUR_MS);
  const endedAt = result === 'Running' ? null : new Date(startedAt.getTime() + 60_000);
  const jobInstanceUid = jobs[job]?.jobInstanceUid;
  return jobInstanceUid === undefined ? [] : [{ jobInstanceUid, startedAt, endedAt, result, message }];
}

async function follow(one: Step): Promise<void> {
  if ('reports' in one) await ingestRuns(portal.database, 1, one.reports.flatMap(runOf), TEST_NOW);
  else if ('shared' in one) await share(one.shared.flatMap(runOf));
  else if ('edited' in one) await edit(one);
  else if ('removed' in one) await remove(jobs[one.removed]);
  else if ('returned' in one) await restore(jobs[one.returned]);
  else if ('misses' in one) await findMissedRuns(portal.database, TEST_NOW);
  else if ('expires' in one) await endExpiredIgnores(portal.database, TEST_NOW);
  else await buildAgain();
}

/** As a sync does of a job while others have its name. */
async function share(runs: readonly NewRun[]): Promise<void> {
  const named = runs.map((run) => ({ ...run, externalId: run.startedAt.toISOString() }));
  const ingest = async (connection: PoolClient) => {
    await ingestSharedRuns(connection, 1, named, await readSharedRuns(connection, 1, named), TEST_NOW);
  };
  await transaction(portal.database, ingest, executionsLock(1));
}

async function edit({ edited, state, isNoted, hours }: Extract<Step, { edited: number }>): Promise<void> {
  const found = await rows<{ id: string }>(portal.database, sql`select id from job_executions order by started_at, id`);
  const id = found[edited % Math.max(1, found.length)]?.id;
  if (id === undefined) return;
  const isUntil = state === 'ignored' && hours !== null;
  const until = isUntil ? { ignoredUntil: new Date(TEST_NOW.getTime() + hours * HOUR_MS).toISOString() } : {};
  const note = isNoted ? { note: { content: 'Disk replaced' } } : {};
  await transaction(portal.database, (connection) =>
    changeExecutions(connection, SCOPE, [id], { state, ...until, ...note }, AUTHOR),
  );
}

async function remove(job: BuiltJob | undefined): Promise<void> {
  const chosen = sql`j.job_instance_uid = ${job?.jobInstanceUid}::uuid`;
  const removeIn = (connection: Connection) => removeJobs(connection, 1, chosen, TEST_NOW);
  await transaction(portal.database, removeIn, executionsLock(1));
}

/** As a sync does of a job that its source has again. */
async function restore(job: BuiltJob | undefined): Promise<void> {
  const uid = job?.jobInstanceUid ?? '';
  const restoreIn = async (connection: Connection) => {
    await execute(connection, sql`update jobs set removed_at = null where job_instance_uid = ${uid}`);
    await followRemovals(connection, 1, [uid]);
  };
  await transaction(portal.database, restoreIn, executionsLock(1));
}

/** As after an upgrade from a version that knew no faults. */
async function buildAgain(): Promise<void> {
  await portal.database.query('truncate faults');
  await execute(portal.database, sql`update jobs set are_faults_known = false`);
  await buildFaults(portal.database, new AbortController().signal);
}

it('ends the fault of the newest run that a late one, thirty successes before it, made doubtful', async () => {
  await forgetEverythingIngested(portal.database);
  const at = (hour: number, megabytes: number) =>
    runOf({ job: 0, hour, result: 'Success', message: null }).map((run) => ({
      ...run,
      transferredBytes: megabytes * 1e6,
    }));
  const amounts = [1_000, ...Array(14).fill(10), ...Array(16).fill(1_000)];
  for (const [index, amount] of amounts.entries())
    await ingestRuns(portal.database, 1, at(index === 0 ? 0 : index + 1, amount), TEST_NOW);
  await ingestRuns(portal.database, 1, at(1, 10), TEST_NOW);
  const open = sql`select from faults where closed_at is null`;
  expect(await rows(portal.database, open)).toHaveLength(1);
  await ingestRuns(portal.database, 1, at(40, 1_000), TEST_NOW);
  const { stored, counted } = await faultsAndRecount(portal.database);
  expect(stored).toEqual(counted);
  expect(await rows(portal.database, open)).toEqual([]);
});

it('ends the fault of a run that was written beside the state of its job, after one that was fine', async () => {
  await forgetEverythingIngested(portal.database);
  const at = (hour: number, result: NewRun['result']) => runOf({ job: 0, hour, result, message: null });
  await ingestRuns(portal.database, 1, at(1, 'Success'), TEST_NOW);
  await share(at(2, 'Failed'));
  await ingestRuns(portal.database, 1, at(3, 'Success'), TEST_NOW);
  const { stored, counted } = await faultsAndRecount(portal.database);
  expect(stored).toEqual(counted);
  expect(await rows(portal.database, sql`select from faults where closed_at is not null`)).toHaveLength(1);
});

it('has the faults that one reads from the runs, whatever was reported, missed, edited, removed and forgotten before', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
      await forgetEverythingIngested(portal.database);
      await portal.database.query('update jobs set removed_at = null');
      for (const one of steps) {
        await follow(one);
        const { stored, counted } = await faultsAndRecount(portal.database);
        expect(stored).toEqual(counted);
      }
    }),
    SETTINGS,
  );
}, 300_000);

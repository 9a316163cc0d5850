import { editJobExecution } from '@keepwatch/contract/executions/job-executions';
import type { State } from '@keepwatch/contract/runs/values';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { row, rows } from '../foundation/database.ts';
import { ingestRuns } from '../ingest/ingest-runs.ts';
import type { NewRun } from '../runs/new-run.ts';
import { type BuiltJob, buildJob } from '../testing/builders.ts';
import { daysAgo } from '../testing/report-builders.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';

let portal: TestPortal;
let operator: Caller;
let job: BuiltJob;

beforeAll(async () => {
  portal = await startTestPortal();
  operator = await portal.as('operator');
});
beforeEach(async () => {
  job = await buildJob(portal.database);
});
afterAll(() => portal.stop());

function run(day: number, result: NewRun['result'], message?: string): NewRun {
  return { jobInstanceUid: job.jobInstanceUid, startedAt: daysAgo(day), endedAt: daysAgo(day - 0.01), result, message };
}

const ignoreUntilLater = () => edit({ state: 'ignored', ignoredUntil: daysAgo(-2).toISOString() });

const ingest = (...runs: readonly NewRun[]) => ingestRuns(portal.database, 1, runs, TEST_NOW);

async function edit(body: { state: State; ignoredUntil?: string }): Promise<void> {
  const last = await newest();
  await operator.call(editJobExecution, { params: { id: last?.lastExecutionId ?? '' }, body });
}

const newest = () =>
  row<{ lastExecutionId: string; state: string; runs: number; closedAt: string | null; changedBy: string | null }>(
    portal.database,
    sql`select last_execution_id as "lastExecutionId", state, runs, closed_at as "closedAt", changed_by_name as "changedBy" from faults
        where job_instance_uid = ${job.jobInstanceUid} order by opened_at desc limit 1`,
  );

const states = async () =>
  (
    await rows<{ state: string }>(
      portal.database,
      sql`select state from job_executions where job_instance_uid = ${job.jobInstanceUid} order by started_at`,
    )
  ).map(({ state }) => state);

it('stays with who works on it when the job fails again', async () => {
  await ingest(run(3, 'Failed'));
  await edit({ state: 'in-progress' });
  await ingest(run(2, 'Failed'), run(1, 'Warning'));
  expect(await newest()).toMatchObject({ state: 'in-progress', runs: 3, changedBy: operator.username });
});

it('is pending again when a resolved one fails again, and healed by a run that is fine', async () => {
  await ingest(run(3, 'Failed'));
  await edit({ state: 'resolved' });
  await ingest(run(2, 'Failed'));
  expect(await newest()).toMatchObject({ state: 'pending', runs: 2 });
  await ingest(run(1, 'Success'));
  expect(await newest()).toMatchObject({ state: 'pending', closedAt: daysAgo(1).toISOString() });
});

it('stays ignored until the day that was set, and no longer than it is no worse', async () => {
  await ingest(run(4, 'Warning'));
  await ignoreUntilLater();
  await ingest(run(3, 'Warning'));
  expect(await newest()).toMatchObject({ state: 'ignored', runs: 2 });
  await ingest(run(2, 'Failed'), run(1, 'Warning'));
  expect(await newest()).toMatchObject({ state: 'pending', runs: 4 });
});

it('stays ignored only while the job fails for the same reason', async () => {
  await ingest(run(5, 'Failed', 'Tape 7 is not there'));
  await ignoreUntilLater();
  await ingest(run(4, 'Failed', 'Tape 12 is not there'));
  expect(await newest()).toMatchObject({ state: 'ignored', runs: 2 });
  await ingest(run(3, 'Failed', 'Ransomware: all files are encrypted'));
  expect(await newest()).toMatchObject({ state: 'pending', runs: 3, changedBy: null });
  await ingest(run(2, 'Failed', 'Tape 7 is not there'));
  expect(await newest()).toMatchObject({ state: 'pending', runs: 4 });
});

it('stays ignored up to the first run of another reason, whatever is reported together', async () => {
  await ingest(run(5, 'Failed', 'Tape 7 is not there'));
  await ignoreUntilLater();
  const messages = ['Tape 8 is not there', 'Ransomware: all files are encrypted', 'Tape 9 is not there'];
  await ingest(...messages.map((message, place) => run(4 - place, 'Failed', message)));
  expect(await newest()).toMatchObject({ state: 'pending', runs: 4 });
  expect(await states()).toEqual(['ignored', 'ignored', 'pending', 'pending']);
});

it('is pending when a retry of an ignored run fails for another reason', async () => {
  await ingest(run(3, 'Failed', 'Tape 7 is not there'));
  await ignoreUntilLater();
  await ingest(run(2.985, 'Failed', 'Tape 8 is not there'));
  expect(await newest()).toMatchObject({ state: 'ignored', runs: 1 });
  await ingest(run(2.97, 'Failed', 'Ransomware: all files are encrypted'));
  expect(await newest()).toMatchObject({ state: 'pending', runs: 1 });
});

it('stays with who works on it when the job fails for another reason', async () => {
  await ingest(run(3, 'Failed', 'Tape 7 is not there'));
  await edit({ state: 'in-progress' });
  await ingest(run(2, 'Failed', 'Ransomware: all files are encrypted'));
  expect(await newest()).toMatchObject({ state: 'in-progress', runs: 2 });
});

it('is pending when the job fails again after one that is ignored without a day', async () => {
  await ingest(run(3, 'Failed'));
  await edit({ state: 'ignored' });
  await ingest(run(2, 'Failed'));
  expect(await newest()).toMatchObject({ state: 'pending' });
});

it('begins again as pending after a run that is fine', async () => {
  await ingest(run(4, 'Failed'));
  await edit({ state: 'in-progress' });
  await ingest(run(3, 'Success'), run(2, 'Failed'));
  expect(await newest()).toMatchObject({ state: 'pending', runs: 1, changedBy: null });
});

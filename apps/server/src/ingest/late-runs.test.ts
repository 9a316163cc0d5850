import { editJobExecution } from '@keepwatch/contract/executions/job-executions';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, row, rows, transaction } from '../foundation/database.ts';
import type { NewRun } from '../runs/new-run.ts';
import { findMissedRuns, storeMissedRuns } from '../schedules/missed-runs.ts';
import { writtenJob } from '../sources/intake.fixture.ts';
import { upsertJobs } from '../sources/sync/upsert-jobs.ts';
import { type BuiltJob, buildJob, buildSource } from '../testing/builders.ts';
import { startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import { ingestRuns } from './ingest-runs.ts';
import { forgetEverythingIngested, rollupsAndRecount } from './recount.fixture.ts';

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;

let portal: TestPortal;
let sourceId: string;

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());
beforeEach(async () => {
  await forgetEverythingIngested(portal.database);
  await portal.database.query('truncate jobs cascade');
  sourceId = await buildSource(portal.database);
});

function hoursAgo(hours: number): Date {
  return new Date(TEST_NOW.getTime() - hours * HOUR_MS);
}

/** A job every so many hours. */
function jobEvery(hours: number | null): Promise<BuiltJob> {
  return buildJob(portal.database, { sourceId, intervalMs: hours === null ? null : hours * HOUR_MS });
}

function run(job: BuiltJob, ago: number, given: Partial<NewRun> = {}): NewRun {
  const startedAt = hoursAgo(ago);
  const endedAt = new Date(startedAt.getTime() + 60_000);
  return { jobInstanceUid: job.jobInstanceUid, startedAt, endedAt, result: 'Success', ...given };
}

function ingest(...executions: NewRun[]) {
  return ingestRuns(portal.database, 1, executions, TEST_NOW);
}

/** Builds a job that ran, was due again `dueHoursAgo`, and whose run was not reported: it counts as missed. */
async function missedJob(dueHoursAgo: number, everyHours = DAY_HOURS): Promise<BuiltJob> {
  const job = await jobEvery(everyHours);
  await ingest(run(job, dueHoursAgo + everyHours));
  await findMissedRuns(portal.database, TEST_NOW);
  return job;
}

/** Returns how many hours ago the missed runs were expected. */
async function missesOf(job: BuiltJob): Promise<number[]> {
  const found = await rows<{ at: string }>(
    portal.database,
    sql`select started_at as at from job_executions where job_instance_uid = ${job.jobInstanceUid} and result = 'DidntRun' order by 1`,
  );
  return found.map(({ at }) => (TEST_NOW.getTime() - Date.parse(at)) / HOUR_MS);
}

async function expectRightSums(): Promise<void> {
  const { stored, counted } = await rollupsAndRecount(portal.database);
  expect(stored).toEqual(counted);
}

describe('a late run', () => {
  it.each([
    ['began at its slot', 14],
    ['began within the grace period', 14 - 11.9],
    ['began some seconds before the slot that was counted from earlier runs', 14 + 30 / 3_600],
  ])('reverses the missed run of its slot: it %s', async (_name, ago) => {
    const job = await missedJob(14);
    expect(await missesOf(job)).toEqual([14]);
    await ingest(run(job, ago));
    expect(await missesOf(job)).toEqual([]);
    await expectRightSums();
  });

  it.each(['Failed', 'Warning', 'Running'] as const)('reverses the missed run if its result is %s', async (result) => {
    const job = await missedJob(14);
    await ingest(run(job, 13, result === 'Running' ? { result, endedAt: null } : { result }));
    expect(await missesOf(job)).toEqual([]);
    await expectRightSums();
  });

  it('reverses the missed run when it is a retry of the run before', async () => {
    const job = await jobEvery(1 / 4);
    await ingest(run(job, 1, { result: 'Failed' }));
    await findMissedRuns(portal.database, TEST_NOW);
    expect(await missesOf(job)).toEqual([3 / 4]);
    await ingest(run(job, 46 / 60, { result: 'Failed' }));
    expect(await missesOf(job)).toEqual([]);
    await expectRightSums();
  });

  it('reverses the missed run up to a day late when the next slot is days away', async () => {
    const [late, tooLate] = [await missedJob(30, 7 * DAY_HOURS), await missedJob(30, 7 * DAY_HOURS)];
    await ingest(run(late, 6.1), run(tooLate, 6));
    expect(await missesOf(late)).toEqual([]);
    expect(await missesOf(tooLate)).toEqual([30]);
  });

  it('does not reverse the missed run when it begins nearer to the next slot', async () => {
    const job = await missedJob(14);
    await ingest(run(job, 2));
    expect(await missesOf(job)).toEqual([14]);
  });

  it('does not reverse missed runs of other jobs, and of other slots that the source names', async () => {
    const [job, other] = [await missedJob(62), await missedJob(62)];
    await execute(portal.database, sql`update jobs set next_run_at = ${hoursAgo(-10)}`);
    await ingest(run(job, 37));
    expect(await missesOf(job)).toEqual([62, 14]);
    expect(await missesOf(other)).toEqual([62, 38, 14]);
    await expectRightSums();
  });

  it('reverses a missed run that is older than the newest known run', async () => {
    const job = await missedJob(62);
    await ingest(run(job, 1));
    expect(await missesOf(job)).toEqual([62, 38, 14]);
    await ingest(run(job, 37.5), run(job, 61.5));
    expect(await missesOf(job)).toEqual([13.5]);
    await expectRightSums();
  });

  it('reverses a missed run of a guessed cadence', async () => {
    const job = await jobEvery(null);
    await ingest(...[6, 5, 4, 3, 2].map((days) => run(job, days * DAY_HOURS - 10)));
    await findMissedRuns(portal.database, TEST_NOW);
    expect(await missesOf(job)).toEqual([14]);
    await ingest(run(job, 13));
    expect(await missesOf(job)).toEqual([]);
  });

  it('reverses a missed run that was ignored from the start because its job is ignored', async () => {
    const job = await jobEvery(DAY_HOURS);
    await execute(
      portal.database,
      sql`insert into job_ignores (provider_id, job_instance_uid, kind) values (1, ${job.jobInstanceUid}, 'didnt-run')`,
    );
    await ingest(run(job, 38));
    await findMissedRuns(portal.database, TEST_NOW);
    await ingest(run(job, 13));
    expect(await missesOf(job)).toEqual([]);
  });

  it.each([
    ['the newest', []],
    ['one before the newest', [1]],
  ])('moves the slots after it, as if it were reported in time: %s', async (_name, newest) => {
    const job = await missedJob(62);
    await ingest(...newest.map((ago) => run(job, ago)));
    await ingest(run(job, 52));
    await findMissedRuns(portal.database, TEST_NOW);
    expect(await missesOf(job)).toEqual([28]);
    await expectRightSums();
  });

  it('leaves an edited missed run in place of the slot that has moved', async () => {
    const job = await missedJob(62);
    await execute(
      portal.database,
      sql`update job_executions set notes = '[{"content":"Seen"}]' where started_at = ${hoursAgo(38)}`,
    );
    await ingest(run(job, 1), run(job, 61));
    expect(await missesOf(job)).toEqual([38, 13]);
    await expectRightSums();
  });

  it.each([
    ['switched off', [false]],
    ['switched off and on again', [false, true]],
  ])('reverses the missed run when the job was %s meanwhile', async (_name, switches) => {
    const job = await missedJob(14);
    for (const isEnabled of switches) {
      const read = writtenJob({ externalId: job.jobInstanceUid, companyExternalId: null, isEnabled });
      if (!('value' in read)) throw new Error('The written job was not read.');
      const source = { providerId: 1, id: sourceId };
      await transaction(portal.database, (connection) =>
        upsertJobs(connection, source, [read.value], new Map(), TEST_NOW),
      );
    }
    await ingest(run(job, 13));
    expect(await missesOf(job)).toEqual([]);
    await expectRightSums();
  });

  it('leaves the same rows as if it were reported in time', async () => {
    const job = await missedJob(62);
    await ingest(run(job, 61), run(job, 37), run(job, 13));
    expect(await missesOf(job)).toEqual([]);
    expect(await findMissedRuns(portal.database, TEST_NOW)).toBe(0);
    await expectRightSums();
  });
});

describe('a missed run that a person has edited', () => {
  async function miss(job: BuiltJob): Promise<string> {
    const found = await row<{ id: string }>(
      portal.database,
      sql`select id from job_executions where job_instance_uid = ${job.jobInstanceUid} and result = 'DidntRun'`,
    );
    return found?.id ?? '';
  }

  it.each([
    ['a state', { state: 'in-progress' }],
    ['the state that it had', { state: 'pending' }],
    ['a note', { note: { content: 'The console was down' } }],
  ] as const)('stays when its run is reported late: %s', async (_name, body) => {
    const job = await missedJob(14);
    const operator = await portal.as('operator');
    await operator.call(editJobExecution, { params: { id: await miss(job) }, body });
    await ingest(run(job, 13));
    expect(await missesOf(job)).toEqual([14]);
    await expectRightSums();
  });

  it('stays when another process has resolved it', async () => {
    const job = await missedJob(14);
    await execute(portal.database, sql`update job_executions set state = 'resolved' where id = ${await miss(job)}`);
    await ingest(run(job, 13));
    expect(await missesOf(job)).toEqual([14]);
  });

  it('stays when it is edited while its run is being ingested', async () => {
    const job = await missedJob(14);
    const id = await miss(job);
    let report: Promise<unknown> = Promise.resolve();
    await transaction(portal.database, async (connection) => {
      await execute(connection, sql`update job_executions set notes = '[{"content":"Seen"}]' where id = ${id}`);
      report = ingest(run(job, 13));
      const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      await expect.poll(async () => (await rows(portal.database, waiting)).length).toBe(1);
    });
    await report;
    expect(await missesOf(job)).toEqual([14]);
    await expectRightSums();
  });
});

it('sends no query about missed runs for runs that are on time', async () => {
  const job = await jobEvery(DAY_HOURS);
  await ingest(run(job, 25), run(job, 1));
  const texts: string[] = [];
  portal.database.on('acquire', (client) => {
    const query = client.query.bind(client);
    Object.assign(client, {
      query: (...given: Parameters<typeof query>) => {
        texts.push(typeof given[0] === 'string' ? given[0] : '');
        return query(...given);
      },
    });
  });
  await ingestRuns(portal.database, 1, [run(job, 0.9)], TEST_NOW);
  portal.database.removeAllListeners('acquire');
  expect(texts.length).toBeGreaterThan(3);
  expect(texts.filter((text) => text.includes('DidntRun'))).toEqual([]);
});

it('does not write a run as missed when it was reported between the search and the write', async () => {
  const job = await jobEvery(DAY_HOURS);
  await ingest(run(job, 38), run(job, 13));
  const cadence = { intervalMs: DAY_HOURS * HOUR_MS, guessedFrom: null };
  const found = [14, 62].map((ago) => ({
    jobInstanceUid: job.jobInstanceUid,
    expectedAtMs: hoursAgo(ago).getTime(),
    cadence,
  }));
  expect(await storeMissedRuns(portal.database, 1, found)).toBe(1);
  expect(await missesOf(job)).toEqual([62]);
});

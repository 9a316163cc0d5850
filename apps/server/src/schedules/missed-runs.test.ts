import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, row, rows, transaction } from '../foundation/database.ts';
import { ingestRuns } from '../ingest/ingest-runs.ts';
import { forgetEverythingIngested, rollupsAndRecount } from '../ingest/recount.fixture.ts';
import type { NewRun } from '../runs/new-run.ts';
import { writtenJob } from '../sources/intake.fixture.ts';
import { upsertJobs } from '../sources/sync/upsert-jobs.ts';
import { type BuiltJob, buildJob, buildSource } from '../testing/builders.ts';
import { startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import { fillGaps } from './history-gaps.ts';
import { findMissedRuns, MISSED_IN_A_ROW_MAX } from './missed-runs.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

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
  await readUpTo(TEST_NOW);
});

/** Marks the source as read up to an instant. */
async function readUpTo(at: Date): Promise<void> {
  await execute(portal.database, sql`update sources set history_read_to = ${at} where id = ${sourceId}`);
}

function at(daysAgo: number): Date {
  return new Date(TEST_NOW.getTime() - daysAgo * DAY_MS);
}

async function ran(job: Pick<BuiltJob, 'jobInstanceUid'>, ...daysAgo: number[]): Promise<void> {
  const executions = daysAgo.map((days): NewRun => {
    const startedAt = at(days);
    const endedAt = new Date(startedAt.getTime() + 60_000);
    return { jobInstanceUid: job.jobInstanceUid, startedAt, endedAt, result: 'Success' };
  });
  await ingestRuns(portal.database, 1, executions, TEST_NOW);
}

async function missed(): Promise<{ started_at: string; state: string; result: string }[]> {
  return rows(
    portal.database,
    sql`select started_at, state, result from job_executions where result = 'DidntRun' order by started_at`,
  );
}

function dailyJob(given: Parameters<typeof buildJob>[1] = {}): Promise<BuiltJob> {
  return buildJob(portal.database, { sourceId, intervalMs: DAY_MS, ...given });
}

describe('an expected run that did not happen', () => {
  it('becomes a pending execution at its expected start', async () => {
    await ran(await dailyJob(), 3.2, 2.2);
    await findMissedRuns(portal.database, TEST_NOW);
    expect(await missed()).toEqual([{ started_at: at(1.2).toISOString(), state: 'pending', result: 'DidntRun' }]);
    const { stored, counted } = await rollupsAndRecount(portal.database);
    expect(stored).toEqual(counted);
  });

  it('is not reported when a retry of the run before began in its slot', async () => {
    const job = await dailyJob({ intervalMs: 900_000 });
    const quarters = [4, 3, 2, 1].map((count): NewRun => {
      const startedAt = new Date(TEST_NOW.getTime() - count * 900_000);
      const endedAt = new Date(startedAt.getTime() + 60_000);
      return { jobInstanceUid: job.jobInstanceUid, startedAt, endedAt, result: 'Failed' };
    });
    await ingestRuns(portal.database, 1, quarters, TEST_NOW);
    await findMissedRuns(portal.database, TEST_NOW);
    expect(await missed()).toEqual([]);
  });

  it('is written once, however often the search runs', async () => {
    await ran(await dailyJob(), 2.2);
    expect(await findMissedRuns(portal.database, TEST_NOW)).toBe(1);
    expect(await findMissedRuns(portal.database, TEST_NOW)).toBe(0);
  });

  it('is followed by the next one, and the next, as time goes by', async () => {
    await ran(await dailyJob(), 1.6);
    const counts: number[] = [];
    for (const days of [0, 1, 2]) {
      const now = at(-days);
      await readUpTo(now);
      counts.push(await findMissedRuns(portal.database, now));
    }
    expect(counts).toEqual([1, 1, 1]);
  });

  it('is not reported before half an interval has passed', async () => {
    await ran(await dailyJob(), 1.4);
    expect(await findMissedRuns(portal.database, TEST_NOW)).toBe(0);
  });

  it('is not reported while its source cannot be read', async () => {
    await ran(await dailyJob(), 3);
    await readUpTo(at(2));
    expect(await findMissedRuns(portal.database, TEST_NOW)).toBe(0);
  });

  it('is not reported while its source was never read', async () => {
    await ran(await dailyJob(), 3);
    await execute(portal.database, sql`update sources set history_read_to = null where id = ${sourceId}`);
    expect(await findMissedRuns(portal.database, TEST_NOW)).toBe(0);
  });

  it('is reported up to now for tools that report their own runs', async () => {
    await ran(await dailyJob(), 3);
    await execute(
      portal.database,
      sql`update sources set history_read_to = null, kind = 'intake' where id = ${sourceId}`,
    );
    expect(await findMissedRuns(portal.database, TEST_NOW)).toBe(2);
  });

  it('is found in all jobs of all providers, however many pages they fill', async () => {
    const theirs = await buildSource(portal.database, { providerId: 2 });
    for (const [providerId, id] of [[1, sourceId] as const, [2, theirs] as const])
      await execute(
        portal.database,
        sql`insert into jobs (provider_id, job_instance_uid, source_id, external_id, source_group, name, interval_ms, last_started_at, expected_at, overdue_at)
            select ${providerId}, gen_random_uuid(), ${id}, n::text, 'managed-servers', 'Job', ${DAY_MS}, ${at(1.7)}, ${at(0.7)}, ${at(0.2)} from generate_series(1, 1250) n`,
      );
    expect(await findMissedRuns(portal.database, TEST_NOW)).toBe(2_500);
    expect(await findMissedRuns(portal.database, TEST_NOW)).toBe(0);
    expect(await rows(portal.database, sql`select provider_id, didnt_run from provider_days order by 1`)).toEqual([
      { provider_id: 1, didnt_run: 1_250 },
      { provider_id: 2, didnt_run: 1_250 },
    ]);
  });

  it('stays when the run begins nearer to the next slot, and the job is no longer overdue', async () => {
    const job = await dailyJob();
    await ran(job, 2.2);
    await findMissedRuns(portal.database, TEST_NOW);
    await ran(job, 0.5);
    expect(await missed()).toHaveLength(1);
    const found = await row<{ isOverdue: boolean }>(
      portal.database,
      sql`select overdue_at < ${TEST_NOW} as "isOverdue" from jobs where job_instance_uid = ${job.jobInstanceUid}`,
    );
    expect(found).toEqual({ isOverdue: false });
  });

  it('is ignored from the start when a person ignores the missed runs of the job', async () => {
    const job = await dailyJob();
    await ran(job, 2.2);
    await execute(
      portal.database,
      sql`insert into job_ignores (provider_id, job_instance_uid, kind) values (1, ${job.jobInstanceUid}, 'didnt-run')`,
    );
    await findMissedRuns(portal.database, TEST_NOW);
    expect(await missed()).toMatchObject([{ state: 'ignored' }]);
  });

  it.each([
    ['a disabled job', sql`is_enabled = false`],
    ['a removed job', sql`removed_at = now()`],
  ])('is not reported for %s', async (_name, change) => {
    const job = await dailyJob();
    await ran(job, 2.2);
    await execute(portal.database, sql`update jobs set ${change} where job_instance_uid = ${job.jobInstanceUid}`);
    expect(await findMissedRuns(portal.database, TEST_NOW)).toBe(0);
  });

  it('is not reported for a job that never ran and whose next run is unknown', async () => {
    await dailyJob();
    expect(await findMissedRuns(portal.database, TEST_NOW)).toBe(0);
  });

  it('is reported at most 60 times in a row per job', async () => {
    await ran(await buildJob(portal.database, { sourceId, intervalMs: HOUR_MS }), 90);
    expect(await findMissedRuns(portal.database, TEST_NOW)).toBe(MISSED_IN_A_ROW_MAX);
    expect(await findMissedRuns(portal.database, TEST_NOW)).toBe(0);
  });

  it('follows the job’s own cadence where its source reports none, without weekends', async () => {
    // 2 March 2026 is a Monday; this job ran on working days, last on Thursday, 26 February.
    const job = await buildJob(portal.database, { sourceId });
    const workDays = Array.from({ length: 30 }, (_, index) => 3.4 + index).filter(
      (days) => ![0, 6].includes(at(days).getUTCDay()),
    );
    await ran(job, ...workDays);
    await findMissedRuns(portal.database, TEST_NOW);
    expect((await missed()).map((run) => new Date(run.started_at).getUTCDay())).toEqual([5]);
  });
});

describe('a job whose schedule changes', () => {
  const externalId = '0f8fad5b-d9cb-469f-a165-70867728950e';
  const job = { jobInstanceUid: externalId };

  /** Reports the job as the source did so many days ago. */
  async function reported(daysAgo: number, given: Partial<Parameters<typeof writtenJob>[0]>): Promise<void> {
    const read = writtenJob({ externalId, companyExternalId: null, ...given });
    if (!('value' in read)) throw new Error('The written job was not read.');
    const source = { providerId: 1, id: sourceId };
    await transaction(portal.database, (connection) =>
      upsertJobs(connection, source, [read.value], new Map(), at(daysAgo)),
    );
  }

  async function missedHours(): Promise<number[]> {
    return (await missed()).map((run) => (Date.parse(run.started_at) - TEST_NOW.getTime()) / HOUR_MS);
  }

  it('misses slots of the new cadence only after the change', async () => {
    await reported(2, {});
    await ran(job, 38 / 24);
    await findMissedRuns(portal.database, TEST_NOW);
    await reported(0, { intervalMs: HOUR_MS });
    await findMissedRuns(portal.database, TEST_NOW);
    expect(await missedHours()).toEqual([-14]);
    await readUpTo(at(-3 / 24));
    await findMissedRuns(portal.database, at(-3 / 24));
    expect(await missedHours()).toEqual([-14, 1, 2]);
  });

  it('misses no slot due before the new cadence was reported, even when its last run is reported after that', async () => {
    await reported(2, {});
    await ran(job, 20 / 24);
    await reported(0, { intervalMs: HOUR_MS });
    await ran(job, 10 / 24);
    await findMissedRuns(portal.database, TEST_NOW);
    expect(await missed()).toEqual([]);
  });

  it('misses the slot that its source named, whatever cadence is guessed later, until the run of the slot is reported', async () => {
    await reported(2, { intervalMs: null, nextRunAt: at(13 / 24) });
    await ran(job, 25 / 24);
    await reported(0, { intervalMs: null, nextRunAt: at(-11 / 24) });
    await ran(job, 37 / 24, 49 / 24, 61 / 24, 73 / 24);
    await findMissedRuns(portal.database, TEST_NOW);
    expect(await missedHours()).toEqual([-13]);
    await ran(job, 13 / 24);
    expect(await missed()).toEqual([]);
  });

  it('has gaps in its history only since it was switched on', async () => {
    await reported(30, { isEnabled: false });
    await ran(job, 20);
    await reported(10.5, {});
    await ran(job, 10, 7);
    await fillGaps(portal.database, { providerId: 1, id: sourceId }, { from: at(100), to: TEST_NOW });
    expect((await missed()).map((run) => run.started_at)).toEqual([at(9).toISOString(), at(8).toISOString()]);
  });
});

describe('gaps in a history that was read as a whole', () => {
  const fill = () => fillGaps(portal.database, { providerId: 1, id: sourceId }, { from: at(100), to: TEST_NOW });

  it('become missed runs between two known ones, and nowhere else', async () => {
    await ran(await dailyJob(), 20, 19, 16, 15);
    expect(await fill()).toBe(2);
    expect((await missed()).map((run) => run.started_at)).toEqual([at(18).toISOString(), at(17).toISOString()]);
    const { stored, counted } = await rollupsAndRecount(portal.database);
    expect(stored).toEqual(counted);
  });

  it('are filled once, even when the missed run was found before', async () => {
    const job = await dailyJob();
    await ran(job, 3, 2.2);
    await findMissedRuns(portal.database, TEST_NOW);
    await ran(job, 0.1);
    expect(await fill()).toBe(0);
    expect(await fill()).toBe(0);
    expect(await missed()).toHaveLength(1);
  });

  it('do not include weekends of a job that rests then', async () => {
    const job = await buildJob(portal.database, { sourceId });
    const workDays = Array.from({ length: 28 }, (_, index) => index + 0.5).filter(
      (days) => ![0, 6].includes(at(days).getUTCDay()) && Math.floor(days) !== 11,
    );
    await ran(job, ...workDays);
    await fill();
    expect((await missed()).map((run) => run.started_at)).toEqual([at(11.5).toISOString()]);
  });

  it('are limited to the newest 60 per job', async () => {
    await ran(await buildJob(portal.database, { sourceId, intervalMs: HOUR_MS }), 50, 40, 30);
    expect(await fill()).toBe(60);
    expect((await missed())[0]?.started_at.slice(0, 10)).toBe(at(33).toISOString().slice(0, 10));
  });

  it.each([
    ['as many as there are of a daily job', {}, 2],
    ['none of a disabled job', { isEnabled: false }, 0],
    ['none of a job whose schedule is off', { scheduleType: 'Disabled' as const }, 0],
    ['none of a continuous job', { scheduleType: 'Continuously' as const }, 0],
    ['none of a chained job without an interval', { scheduleType: 'Chained' as const, intervalMs: null }, 0],
  ])('are %s', async (_name, schedule, expected) => {
    const externalId = '0f8fad5b-d9cb-469f-a165-70867728950e';
    const reported = writtenJob({ externalId, companyExternalId: null, ...schedule });
    if (!('value' in reported)) throw new Error('The written job was not read.');
    const source = { providerId: 1, id: sourceId };
    await transaction(portal.database, (connection) =>
      upsertJobs(connection, source, [reported.value], new Map(), TEST_NOW),
    );
    await ran({ jobInstanceUid: externalId }, 20, 19, 18, 17, 16, 13, 12, 11, 10);
    expect(await fill()).toBe(expected);
  });

  it('are not filled for jobs of other sources', async () => {
    await ran(await buildJob(portal.database, { intervalMs: DAY_MS }), 20, 10);
    expect(await fill()).toBe(0);
  });
});

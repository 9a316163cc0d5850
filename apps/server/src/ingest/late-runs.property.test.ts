import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tries } from '../../../../tools/soak.ts';
import { rows } from '../foundation/database.ts';
import { toleranceOf } from '../schedules/cadence.ts';
import { findMissedRuns } from '../schedules/missed-runs.ts';
import { type BuiltJob, buildJob, buildSource } from '../testing/builders.ts';
import { startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import { ingestRuns } from './ingest-runs.ts';
import { forgetEverythingIngested, rollupsAndRecount } from './recount.fixture.ts';

const MINUTE_MS = 60_000;
const DAYS = 12;
const INTERVALS_MINUTES = [30, 60, 6 * 60, 24 * 60, 5 * 24 * 60];

let portal: TestPortal;
let jobs: BuiltJob[];

beforeAll(async () => {
  portal = await startTestPortal();
  // Tools report their own runs: these are known up to now, whenever that is.
  const sourceId = await buildSource(portal.database, { kind: 'intake' });
  jobs = [];
  for (const minutes of INTERVALS_MINUTES)
    jobs.push(await buildJob(portal.database, { sourceId, intervalMs: minutes * MINUTE_MS }));
});
afterAll(() => portal.stop());

/**
 * Runs of one job, each so many minutes before now, in batches in the order of their reports, and when missed runs are
 * searched for.
 */
const report = fc.record({
  job: fc.nat({ max: INTERVALS_MINUTES.length - 1 }),
  batches: fc.array(
    fc.record({
      minutesAgo: fc.uniqueArray(fc.integer({ min: 10, max: DAYS * 24 * 60 }), { minLength: 1, maxLength: 8 }),
      searchMinutesAgo: fc.integer({ min: 0, max: DAYS * 24 * 60 }),
    }),
    { minLength: 1, maxLength: 8 },
  ),
});

const instant = (minutesAgo: number) => new Date(TEST_NOW.getTime() - minutesAgo * MINUTE_MS);

it('leaves no missed run beside the run of its slot, in any order of reports and searches', async () => {
  await fc.assert(
    fc.asyncProperty(report, async ({ job: index, batches }) => {
      await forgetEverythingIngested(portal.database);
      const { jobInstanceUid } = jobs[index] ?? { jobInstanceUid: '' };
      for (const { minutesAgo, searchMinutesAgo } of batches) {
        const runs = minutesAgo.map((ago) => {
          const startedAt = instant(ago);
          return {
            jobInstanceUid,
            startedAt,
            endedAt: new Date(startedAt.getTime() + 1_000),
            result: 'Success' as const,
          };
        });
        await ingestRuns(portal.database, 1, runs, TEST_NOW);
        await findMissedRuns(portal.database, instant(searchMinutesAgo));
      }
      const { earlyMs, lateMs } = toleranceOf({
        intervalMs: (INTERVALS_MINUTES[index] ?? 0) * MINUTE_MS,
        guessedFrom: null,
      });
      const filled = sql`select m.started_at as slot, r.started_at as run from job_executions m join job_executions r
        on r.job_instance_uid = m.job_instance_uid and r.result <> 'DidntRun'
          and r.started_at >= m.started_at - make_interval(secs => ${earlyMs / 1_000})
          and r.started_at < m.started_at + make_interval(secs => ${lateMs / 1_000})
        where m.result = 'DidntRun'`;
      expect(await rows(portal.database, filled)).toEqual([]);
      const { stored, counted } = await rollupsAndRecount(portal.database);
      expect(stored).toEqual(counted);
    }),
    { numRuns: tries(20, 200), endOnFailure: true },
  );
}, 300_000);

/**
 * A job's runs: gaps between them in tenths of its interval, and how long after its start each is reported; the first
 * at once.
 */
const schedule = fc.record({
  job: fc.nat({ max: INTERVALS_MINUTES.length - 1 }),
  runs: fc.array(fc.record({ gap: fc.integer({ min: 4, max: 45 }), delay: fc.constantFrom(0, 0, 3, 17, 40, 95) }), {
    minLength: 2,
    maxLength: 9,
  }),
  rest: fc.integer({ min: 0, max: 40 }),
});

const A_WHILE_MS = 1_000;

/**
 * Ingests each run when it is reported, with a search for missed runs right before and at the end. Returns the starts
 * of the missed runs that are left.
 */
async function missesAfter(
  jobInstanceUid: string,
  runs: readonly { startMs: number; reportedDelayMs: number }[],
  endMs: number,
) {
  await forgetEverythingIngested(portal.database);
  for (const { startMs, reportedDelayMs } of [...runs].sort(
    (one, other) => one.reportedDelayMs - other.reportedDelayMs,
  )) {
    const now = new Date(reportedDelayMs + A_WHILE_MS);
    await findMissedRuns(portal.database, now);
    const startedAt = new Date(startMs);
    const endedAt = new Date(startMs + A_WHILE_MS);
    await ingestRuns(portal.database, 1, [{ jobInstanceUid, startedAt, endedAt, result: 'Success' }], now);
  }
  await findMissedRuns(portal.database, new Date(endMs));
  const { stored, counted } = await rollupsAndRecount(portal.database);
  expect(stored).toEqual(counted);
  return rows(
    portal.database,
    sql`select started_at from job_executions where result = 'DidntRun' order by started_at`,
  );
}

it('leaves the same missed runs whether runs are reported in time or late', async () => {
  let missed = 0;
  await fc.assert(
    fc.asyncProperty(schedule, async ({ job: index, runs, rest }) => {
      const { jobInstanceUid } = jobs[index] ?? { jobInstanceUid: '' };
      const tenthMs = ((INTERVALS_MINUTES[index] ?? 0) * MINUTE_MS) / 10;
      const spanMs = (runs.reduce((sum, { gap }) => sum + gap, 0) + rest) * tenthMs;
      let startMs = TEST_NOW.getTime() - spanMs;
      const reported = runs.map(({ gap, delay }, at) => {
        startMs += gap * tenthMs;
        return { startMs, reportedDelayMs: Math.min(startMs + (at === 0 ? 0 : delay * tenthMs), TEST_NOW.getTime()) };
      });
      const inTime = reported.map((run) => ({ ...run, reportedDelayMs: run.startMs }));
      const endMs = TEST_NOW.getTime() + 2 * A_WHILE_MS;
      const expected = await missesAfter(jobInstanceUid, inTime, endMs);
      missed += expected.length;
      expect(await missesAfter(jobInstanceUid, reported, endMs)).toEqual(expected);
    }),
    { numRuns: tries(12, 100), endOnFailure: true },
  );
  expect(missed).toBeGreaterThan(4);
}, 300_000);

it('finds missed runs at all in this setup', async () => {
  await forgetEverythingIngested(portal.database);
  const { jobInstanceUid } = jobs[3] ?? { jobInstanceUid: '' };
  const startedAt = instant(5 * 24 * 60);
  await ingestRuns(
    portal.database,
    1,
    [{ jobInstanceUid, startedAt, endedAt: startedAt, result: 'Success' }],
    TEST_NOW,
  );
  expect(await findMissedRuns(portal.database, TEST_NOW)).toBe(4);
});

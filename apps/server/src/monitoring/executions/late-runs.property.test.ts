import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rows } from '../../foundation/database.ts';
import { type BuiltJob, buildJob, buildSource } from '../../testing/builders.ts';
import { startTestPortal, TEST_NOW, type TestPortal } from '../../testing/test-portal.ts';
import { findMissedRuns } from './missed-runs.ts';
import { forgetEverythingTaken, rollupsAndRecount } from './recount.fixture.ts';
import { reachOf } from './rhythm.ts';
import { takeExecutions } from './take-executions.ts';

const MINUTE_MS = 60_000;
const DAYS = 12;
const INTERVALS_MINUTES = [30, 60, 6 * 60, 24 * 60, 5 * 24 * 60];

let portal: TestPortal;
let jobs: BuiltJob[];

beforeAll(async () => {
  portal = await startTestPortal();
  const sourceId = await buildSource(portal.database);
  jobs = [];
  for (const minutes of INTERVALS_MINUTES)
    jobs.push(await buildJob(portal.database, { sourceId, intervalMs: minutes * MINUTE_MS }));
});
afterAll(() => portal.stop());

/** Runs of one job, each so many minutes before now; in the order in which they are told, in batches; and when missed runs are looked for. */
const telling = fc.record({
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

it('leaves no miss beside the run of its slot, in whatever order runs are told and misses found', async () => {
  await fc.assert(
    fc.asyncProperty(telling, async ({ job: index, batches }) => {
      await forgetEverythingTaken(portal.database);
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
        await takeExecutions(portal.database, 1, runs, TEST_NOW);
        await findMissedRuns(portal.database, instant(searchMinutesAgo));
      }
      const { earlyMs, lateMs } = reachOf({
        intervalMs: (INTERVALS_MINUTES[index] ?? 0) * MINUTE_MS,
        guessedFrom: null,
      });
      const filled = sql`select m.started_at as slot, r.started_at as run from job_executions m join job_executions r
        on r.job_instance_uid = m.job_instance_uid and r.result <> 'DidntRun'
          and r.started_at >= m.started_at - make_interval(secs => ${earlyMs / 1_000})
          and r.started_at < m.started_at + make_interval(secs => ${lateMs / 1_000})
        where m.result = 'DidntRun'`;
      expect(await rows(portal.database, filled)).toEqual([]);
      const { kept, counted } = await rollupsAndRecount(portal.database);
      expect(kept).toEqual(counted);
    }),
    { numRuns: 40, endOnFailure: true },
  );
}, 300_000);

it('finds misses at all in what the property tells', async () => {
  await forgetEverythingTaken(portal.database);
  const { jobInstanceUid } = jobs[3] ?? { jobInstanceUid: '' };
  const startedAt = instant(5 * 24 * 60);
  await takeExecutions(
    portal.database,
    1,
    [{ jobInstanceUid, startedAt, endedAt: startedAt, result: 'Success' }],
    TEST_NOW,
  );
  expect(await findMissedRuns(portal.database, TEST_NOW)).toBe(4);
});

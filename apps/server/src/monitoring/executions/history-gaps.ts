import { sql } from 'drizzle-orm';
import { type Connection, type Pool, rows } from '../../foundation/database.ts';
import { graceMs } from './expected-runs.ts';
import { millisecondsOf } from './job-memory.ts';
import { MISSED_IN_A_ROW_MAX, takeMissedRuns } from './missed-runs.ts';

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;
/** Jobs whose starts are in memory at the same time. */
const BATCH_MAX = 1_000;
/** What lies before the range, to know the rhythm by and the last run before it. */
const RHYTHM_DAYS = 30;
/** Before this many runs a job without a schedule has no rhythm. */
const RUNS_MIN = 5;
/** Rhythms longer than this are not guessed: months differ in length. */
const GUESSED_MS_MAX = 8 * DAY_MS;

/** When a job ran, and when it was found not to have run, in order. */
interface JobStarts {
  jobInstanceUid: string;
  intervalMs: number | null;
  ran: number[] | null;
  missed: number[] | null;
}

/**
 * Writes the missed runs in a stretch of history that was read as a whole: after the first sync, or after a time in which the
 * source could not be read. Only between two known runs of a job, as nothing is known of the time before the first; what
 * comes after the last is found by `findMissedRuns`. At most 60 of a job, the newest. Gives how many were written.
 */
export async function fillGaps(
  pool: Pool,
  source: { providerId: number; id: string },
  range: { from: Date; to: Date },
): Promise<number> {
  let written = 0;
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const jobs = await listStarts(pool, source, range, after);
    const missed = jobs.flatMap((job) =>
      missedBetween(job, range).map((expectedAtMs) => ({ jobInstanceUid: job.jobInstanceUid, expectedAtMs })),
    );
    written += await takeMissedRuns(pool, source.providerId, missed);
    const last = jobs.at(-1);
    if (last === undefined || jobs.length < BATCH_MAX) return written;
    after = last.jobInstanceUid;
  }
}

/** Which jobs are expected to run at all is as in expected-runs.ts. */
function listStarts(
  connection: Connection,
  source: { providerId: number; id: string },
  { from, to }: { from: Date; to: Date },
  after: string,
): Promise<JobStarts[]> {
  const starts = sql`array_agg(${millisecondsOf('e.started_at')} order by e.started_at)`;
  return rows<JobStarts>(
    connection,
    sql`select j.job_instance_uid as "jobInstanceUid", j.interval_ms as "intervalMs", s.ran, s.missed from jobs j
        cross join lateral (select ${starts} filter (where e.result <> 'DidntRun') as ran, ${starts} filter (where e.result = 'DidntRun') as missed
          from job_executions e where e.provider_id = j.provider_id and e.job_instance_uid = j.job_instance_uid
            and e.started_at >= ${from}::timestamptz - make_interval(days => ${RHYTHM_DAYS}) and e.started_at <= ${to}) s
        where j.provider_id = ${source.providerId} and j.source_id = ${source.id} and j.job_instance_uid > ${after}
          and j.is_enabled and j.removed_at is null and coalesce(j.schedule_type, '') not in ('Disabled', 'Continuously')
          and (coalesce(j.schedule_type, '') <> 'Chained' or j.interval_ms is not null)
        order by j.job_instance_uid limit ${BATCH_MAX}`,
  );
}

/** The expected starts between known ones at which nothing ran. */
function missedBetween({ intervalMs, ran, missed }: JobStarts, { from, to }: { from: Date; to: Date }): number[] {
  const runs = ran ?? [];
  const step = intervalMs ?? guessedInterval(runs);
  if (step === null || step < 60_000) return [];
  const grace = graceMs(step);
  const known = [...runs, ...(missed ?? [])].sort((one, other) => one - other);
  const slots = known.flatMap((start, index) => {
    const next = known[index + 1];
    return next === undefined || next < from.getTime() ? [] : slotsBetween(start, next - grace, step);
  });
  return slots
    .filter((slot) => slot >= from.getTime() && slot < to.getTime())
    .filter((slot) => intervalMs !== null || isOnItsWeekday(slot, grace, runs))
    .slice(-MISSED_IN_A_ROW_MAX);
}

/** The slots after `start` and before `end`, at most as many as are taken: the last ones. */
function slotsBetween(start: number, end: number, step: number): number[] {
  const count = Math.ceil((end - start) / step) - 1;
  const first = Math.max(1, count - MISSED_IN_A_ROW_MAX + 1);
  return Array.from({ length: Math.max(0, count - first + 1) }, (_, index) => start + (first + index) * step);
}

/** The median time between runs. */
function guessedInterval(runs: readonly number[]): number | null {
  if (runs.length < RUNS_MIN) return null;
  const gaps = runs.slice(1).map((start, index) => start - (runs[index] ?? start));
  const median = gaps.sort((one, other) => one - other)[(gaps.length - 1) >> 1] ?? null;
  return median !== null && median <= GUESSED_MS_MAX ? median : null;
}

/** A guessed slot counts only when the job ran at that time a week before or after: it may rest at weekends. */
function isOnItsWeekday(slot: number, grace: number, runs: readonly number[]): boolean {
  return [slot - WEEK_MS, slot + WEEK_MS].some((other) => {
    const next = runs[firstFrom(runs, other - grace)];
    return next !== undefined && next <= other + grace;
  });
}

/** Where in a sorted list the first value from `least` on stands. */
function firstFrom(values: readonly number[], least: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

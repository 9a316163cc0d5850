import { sql } from 'drizzle-orm';
import { type Connection, type Pool, rows } from '../../foundation/database.ts';
import { millisecondsOf } from './job-memory.ts';
import { MISSED_IN_A_ROW_MAX, type MissedRun, takeMissedRuns } from './missed-runs.ts';
import { rhythmOf, slotsBetween } from './rhythm.ts';

/** Jobs whose starts are in memory at the same time. */
const BATCH_MAX = 1_000;
/** What lies before the range, to know the rhythm by and the last run before it. */
const RHYTHM_DAYS = 30;

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
    const missed = jobs.flatMap((job) => missedBetween(job, range));
    written += await takeMissedRuns(pool, source.providerId, missed);
    const last = jobs.at(-1);
    if (last === undefined || jobs.length < BATCH_MAX) return written;
    after = last.jobInstanceUid;
  }
}

/** Only jobs that can be overdue at all: of others nobody can tell which runs were expected. */
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
          and j.overdue_at is not null
        order by j.job_instance_uid limit ${BATCH_MAX}`,
  );
}

/**
 * The expected starts between known ones at which nothing ran. The rhythm is that of all runs which are known of the time, not
 * only of the last successful ones that a job remembers: a run that failed was no missed one.
 */
function missedBetween(
  { jobInstanceUid, intervalMs, ran, missed }: JobStarts,
  { from, to }: { from: Date; to: Date },
): MissedRun[] {
  const runs = ran ?? [];
  const rhythm = rhythmOf(intervalMs, () => runs);
  if (rhythm === null) return [];
  const known = [...runs, ...(missed ?? [])].sort((one, other) => one - other);
  return known
    .flatMap((start, index) => {
      const next = known[index + 1];
      if (next === undefined || next < from.getTime()) return [];
      return slotsBetween(rhythm, start, next, MISSED_IN_A_ROW_MAX);
    })
    .filter((slot) => slot >= from.getTime() && slot < to.getTime())
    .slice(-MISSED_IN_A_ROW_MAX)
    .map((expectedAtMs) => ({ jobInstanceUid, expectedAtMs, rhythm }));
}

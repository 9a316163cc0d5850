import type { ScheduleType } from '@keepwatch/connectors/ports/backup-source';
import { sql } from 'drizzle-orm';
import { type Connection, execute, type Pool, rows, transaction } from '../../foundation/database.ts';
import { numberArray, uuidArray } from './column-arrays.ts';
import { missedSlots, type Silence, silenceOf } from './expected-runs.ts';
import { lockExecutions, millisecondsOf } from './job-memory.ts';
import { MISSED_IN_A_ROW_MAX, takeMissedRuns } from './missed-runs.ts';

/** Jobs that are in memory at the same time, and the starts of each: those of a month, every quarter of an hour. */
const PAGE_MAX = 250;
const STARTS_MAX = 3_000;
/** What lies before the last run, to know the rhythm by. */
const RHYTHM_DAYS = 30;

interface QuietJob {
  jobInstanceUid: string;
  scheduleType: ScheduleType | null;
  nextRunAtMs: number;
  sinceMs: number | null;
  starts: number[];
}

interface SilentJob extends Silence {
  jobInstanceUid: string;
  lastMs: number;
  sinceMs: number | null;
}

/**
 * Finds the jobs that fell silent while nobody watched: before the first sync, or while the source could not be read. Of a job whose
 * source says no interval only the next run is told, which lies beyond every slot that has passed. Such a job becomes due for the slot
 * after its last run, and what passed since is written as missed; what follows is found by `findMissedRuns`.
 *
 * Looks at jobs whose last run lies in `range`; from there on everything up to `now` has to be read, or a later run may not be known.
 * Gives how many missed runs were written; done twice it changes nothing.
 */
export async function findSilences(
  pool: Pool,
  source: { providerId: number; id: string },
  range: { from: Date; to: Date },
  now: Date,
): Promise<number> {
  let written = 0;
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const jobs = await listQuietJobs(pool, source, { ...range, now, after });
    const silent = jobs.flatMap((job) => silentJobOf(job, now));
    const missed = silent.flatMap((job) => missedOf(job, now));
    // The slots first: once a job is due for the first of them, others look for slots too, by the runs that a job remembers.
    written += await takeMissedRuns(pool, source.providerId, missed);
    if (silent.length > 0) await keepDue(pool, source.providerId, silent);
    const last = jobs.at(-1);
    if (last === undefined || jobs.length < PAGE_MAX) return written;
    after = last.jobInstanceUid;
  }
}

/** A page of the jobs that are due for nothing but the next run that their source names, in the order of their ids. */
function listQuietJobs(
  connection: Connection,
  source: { providerId: number; id: string },
  { from, to, now, after }: { from: Date; to: Date; now: Date; after: string },
): Promise<QuietJob[]> {
  return rows<QuietJob>(
    connection,
    sql`select q.job_instance_uid as "jobInstanceUid", q.schedule_type as "scheduleType", ${millisecondsOf('q.next_run_at')} as "nextRunAtMs",
          ${millisecondsOf('q.scheduled_since')} as "sinceMs", s.starts
        from (select j.* from jobs j where j.provider_id = ${source.providerId} and j.source_id = ${source.id}
            and j.job_instance_uid > ${after}::uuid and j.is_enabled and j.removed_at is null and j.interval_ms is null
            and j.next_run_at is not null and j.overdue_at > ${now} and j.last_started_at >= ${from} and j.last_started_at <= ${to}
          order by j.job_instance_uid limit ${PAGE_MAX}) q
        cross join lateral (select coalesce(array_agg(r.at order by r.at), '{}') as starts
          from (select ${millisecondsOf('e.started_at')} as at from job_executions e
            where e.provider_id = q.provider_id and e.job_instance_uid = q.job_instance_uid and e.result <> 'DidntRun'
              and e.started_at >= q.last_started_at - make_interval(days => ${RHYTHM_DAYS}) and e.started_at <= q.last_started_at
            order by e.started_at desc limit ${STARTS_MAX} offset 0) r) s
        order by q.job_instance_uid`,
  );
}

function silentJobOf({ jobInstanceUid, starts, ...told }: QuietJob, now: Date): SilentJob[] {
  const schedule = { ...told, isEnabled: true, isRemoved: false, intervalMs: null };
  const silence = silenceOf(schedule, starts, now.getTime());
  const lastMs = starts.at(-1);
  return silence === null || lastMs === undefined
    ? []
    : [{ ...silence, jobInstanceUid, lastMs, sinceMs: told.sinceMs }];
}

function missedOf({ jobInstanceUid, due, rhythm, sinceMs }: SilentJob, now: Date) {
  const { expectedAtMs } = due;
  const stretch = { expectedAtMs, sinceMs, horizonMs: now.getTime(), countMax: MISSED_IN_A_ROW_MAX };
  return missedSlots(rhythm, stretch).map((slot) => ({ jobInstanceUid, expectedAtMs: slot, rhythm }));
}

/** A job of which a run, or another schedule, became known meanwhile is left alone. */
async function keepDue(pool: Pool, providerId: number, silent: readonly SilentJob[]): Promise<void> {
  const instants = (of: (job: SilentJob) => number) => numberArray(silent.map(of), 'timestamptz');
  await transaction(pool, async (connection) => {
    await lockExecutions(connection, providerId);
    await execute(
      connection,
      sql`update jobs j set expected_at = k.expected_at, overdue_at = k.overdue_at
          from unnest(${uuidArray(silent.map((job) => job.jobInstanceUid))}, ${instants((job) => job.lastMs)},
            ${instants((job) => job.due.expectedAtMs)}, ${instants((job) => job.due.overdueAtMs)}) as k (job, last, expected_at, overdue_at)
          where j.provider_id = ${providerId} and j.job_instance_uid = k.job and j.last_started_at = k.last
            and j.is_enabled and j.removed_at is null and j.interval_ms is null and j.overdue_at > k.overdue_at`,
    );
  });
}

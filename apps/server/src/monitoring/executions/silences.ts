import type { ScheduleType } from '@keepwatch/connectors/ports/backup-source';
import { type SQL, sql } from 'drizzle-orm';
import { type Connection, execute, type Pool, rows, transaction } from '../../foundation/database.ts';
import { bytesOf } from './baseline.ts';
import { numberArray, uuidArray } from './column-arrays.ts';
import { missedSlots, type Silence, silenceOf } from './expected-runs.ts';
import { lockExecutions, millisecondsOf } from './job-memory.ts';
import { MISSED_IN_A_ROW_MAX, takeMissedRuns } from './missed-runs.ts';
import { RHYTHM_RUNS_MIN } from './rhythm.ts';

/** Jobs that are in memory at the same time, and the starts of each: those of a month, every quarter of an hour. */
const PAGE_MAX = 250;
const STARTS_MAX = 3_000;
/** What lies before the last run, to know the rhythm by. */
const RHYTHM_DAYS = 30;
const DAY_MS = 86_400_000;

interface QuietJob {
  jobInstanceUid: string;
  scheduleType: ScheduleType | null;
  nextRunAtMs: number | null;
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
  const quiet = sql`j.next_run_at is not null and j.overdue_at > ${now}`;
  return findSilent(pool, { ...source, quiet, range }, now);
}

/**
 * The same for tools that report by themselves and of whose jobs nobody can tell when they are due: a job remembers its successes
 * alone, and one that always ends with warnings has none. Of those that ran in the last days all runs are looked at.
 */
export async function findSilentReporters(pool: Pool, now: Date): Promise<number> {
  const sources = await rows<{ providerId: number; id: string }>(
    pool,
    sql`select provider_id as "providerId", id from sources where kind = 'intake' and deleted_at is null`,
  );
  const range = { from: new Date(now.getTime() - RHYTHM_DAYS * DAY_MS), to: now };
  const knowsNoRhythm = sql`coalesce(octet_length(j.baseline), 0) < ${bytesOf(RHYTHM_RUNS_MIN)}`;
  const quiet = sql`j.next_run_at is null and (j.overdue_at is null or ${knowsNoRhythm})`;
  let written = 0;
  for (const source of sources) written += await findSilent(pool, { ...source, quiet, range }, now);
  return written;
}

/** Jobs of a source whose last run lies in a range and of which a condition (alias `j`) says that nothing is due. */
interface Quiet {
  providerId: number;
  id: string;
  quiet: SQL;
  range: { from: Date; to: Date };
}

async function findSilent(pool: Pool, jobsOf: Quiet, now: Date): Promise<number> {
  let written = 0;
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const jobs = await listQuietJobs(pool, jobsOf, after);
    const silent = jobs.flatMap((job) => silentJobOf(job, now));
    const missed = silent.flatMap((job) => missedOf(job, now));
    // The slots first: once a job is due for the first of them, others look for slots too, by the runs that a job remembers.
    written += await takeMissedRuns(pool, jobsOf.providerId, missed);
    if (silent.length > 0) await keepDue(pool, jobsOf, silent);
    const last = jobs.at(-1);
    if (last === undefined || jobs.length < PAGE_MAX) return written;
    after = last.jobInstanceUid;
  }
}

/** A page of the quiet jobs, in the order of their ids. */
function listQuietJobs(
  connection: Connection,
  { providerId, id, quiet, range: { from, to } }: Quiet,
  after: string,
): Promise<QuietJob[]> {
  return rows<QuietJob>(
    connection,
    sql`select q.job_instance_uid as "jobInstanceUid", q.schedule_type as "scheduleType", ${millisecondsOf('q.next_run_at')} as "nextRunAtMs",
          ${millisecondsOf('q.scheduled_since')} as "sinceMs", s.starts
        from (select j.* from jobs j where j.provider_id = ${providerId} and j.source_id = ${id}
            and j.job_instance_uid > ${after}::uuid and j.is_enabled and j.removed_at is null and j.interval_ms is null
            and ${quiet} and j.last_started_at >= ${from} and j.last_started_at <= ${to}
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
async function keepDue(pool: Pool, { providerId, quiet }: Quiet, silent: readonly SilentJob[]): Promise<void> {
  const instants = (of: (job: SilentJob) => number) => numberArray(silent.map(of), 'timestamptz');
  await transaction(pool, async (connection) => {
    await lockExecutions(connection, providerId);
    await execute(
      connection,
      sql`update jobs j set expected_at = k.expected_at, overdue_at = k.overdue_at
          from unnest(${uuidArray(silent.map((job) => job.jobInstanceUid))}, ${instants((job) => job.lastMs)},
            ${instants((job) => job.due.expectedAtMs)}, ${instants((job) => job.due.overdueAtMs)}) as k (job, last, expected_at, overdue_at)
          where j.provider_id = ${providerId} and j.job_instance_uid = k.job and j.last_started_at = k.last
            and j.is_enabled and j.removed_at is null and j.interval_ms is null and ${quiet}
            and j.overdue_at is distinct from k.overdue_at`,
    );
  });
}

import type { ScheduleType } from '@keepwatch/connectors/ports/backup-source';
import { type SQL, sql } from 'drizzle-orm';
import { type Connection, execute, type Pool, rows, transaction } from '../foundation/database.ts';
import { bytesOf } from '../runs/baseline.ts';
import { JOB_EXECUTIONS } from '../runs/job-executions.ts';
import { JOBS } from '../runs/jobs.ts';
import { millisecondsOf, numberArray, uuidArray } from '../runs/rows/column-arrays.ts';
import { SOURCES } from '../runs/source-horizon.ts';
import { CADENCE_RUNS_MIN } from './cadence.ts';
import { missedSlots, type Stall, stallOf } from './expected-runs.ts';
import { lockExecutions } from './job-state.ts';
import { MISSED_IN_A_ROW_MAX, storeMissedRuns } from './missed-runs.ts';

/** Jobs loaded at the same time, and the starts of each: a month of a job that runs every 15 minutes. */
const PAGE_MAX = 250;
const STARTS_MAX = 3_000;
/** Days before the last run from which the cadence is derived. */
const CADENCE_DAYS = 30;
const DAY_MS = 86_400_000;

interface WatchedJob {
  jobInstanceUid: string;
  scheduleType: ScheduleType | null;
  nextRunAtMs: number | null;
  sinceMs: number | null;
  starts: number[];
}

interface StalledJob extends Stall {
  jobInstanceUid: string;
  lastMs: number;
  sinceMs: number | null;
}

/**
 * Finds the jobs that stalled unobserved: before the first sync, or while the source could not be read. Where a source
 * reports no interval, only the next run is known, which is beyond every slot that has passed. Such a job becomes due
 * for the slot after its last run, and the slots since then are written as missed; `findMissedRuns` finds later ones.
 *
 * Looks at jobs whose last run is in `range`; everything from there up to `now` has to be read first, or a later run
 * may be unknown. Returns how many missed runs were written; a second call changes nothing.
 */
export async function findStalledJobs(
  pool: Pool,
  source: { providerId: number; id: string },
  range: { from: Date; to: Date },
  now: Date,
): Promise<number> {
  const quiet = sql`j.next_run_at is not null and j.overdue_at > ${now}`;
  return findStalled(pool, { ...source, quiet, range }, now);
}

/**
 * Does the same for tools that report their own runs, for jobs with no known due time: job state has successes only,
 * and a job that always ends with warnings has none. Looks at all runs of the jobs that ran in the last days.
 */
export async function findStalledReporters(pool: Pool, now: Date): Promise<number> {
  const sources = await rows<{ providerId: number; id: string }>(
    pool,
    sql`select provider_id as "providerId", id from ${SOURCES} where kind = 'intake' and deleted_at is null`,
  );
  const range = { from: new Date(now.getTime() - CADENCE_DAYS * DAY_MS), to: now };
  const hasNoCadence = sql`coalesce(octet_length(j.baseline), 0) < ${bytesOf(CADENCE_RUNS_MIN)}`;
  const quiet = sql`j.next_run_at is null and (j.overdue_at is null or ${hasNoCadence})`;
  let written = 0;
  for (const source of sources) written += await findStalled(pool, { ...source, quiet, range }, now);
  return written;
}

/** Jobs of a source whose last run is in a range and for which a condition (alias `j`) says that nothing is due. */
interface Quiet {
  providerId: number;
  id: string;
  quiet: SQL;
  range: { from: Date; to: Date };
}

async function findStalled(pool: Pool, jobsOf: Quiet, now: Date): Promise<number> {
  let written = 0;
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const jobs = await listQuietJobs(pool, jobsOf, after);
    const stalled = jobs.flatMap((job) => stalledJobOf(job, now));
    const missed = stalled.flatMap((job) => missedOf(job, now));
    // The slots first: once a job is due for the first of them, `findMissedRuns` searches too, with fewer known runs.
    written += await storeMissedRuns(pool, jobsOf.providerId, missed);
    if (stalled.length > 0) await storeDue(pool, jobsOf, stalled);
    const last = jobs.at(-1);
    if (last === undefined || jobs.length < PAGE_MAX) return written;
    after = last.jobInstanceUid;
  }
}

/** Lists a page of the quiet jobs, in the order of their ids. */
function listQuietJobs(
  connection: Connection,
  { providerId, id, quiet, range: { from, to } }: Quiet,
  after: string,
): Promise<WatchedJob[]> {
  return rows<WatchedJob>(
    connection,
    sql`select q.job_instance_uid as "jobInstanceUid", q.schedule_type as "scheduleType", ${millisecondsOf('q.next_run_at')} as "nextRunAtMs",
          ${millisecondsOf('q.scheduled_since')} as "sinceMs", s.starts
        from (select j.* from ${JOBS} j where j.provider_id = ${providerId} and j.source_id = ${id}
            and j.job_instance_uid > ${after}::uuid and j.is_enabled and j.removed_at is null and j.interval_ms is null
            and ${quiet} and j.last_started_at >= ${from} and j.last_started_at <= ${to}
          order by j.job_instance_uid limit ${PAGE_MAX}) q
        cross join lateral (select coalesce(array_agg(r.at order by r.at), '{}') as starts
          from (select ${millisecondsOf('e.started_at')} as at from ${JOB_EXECUTIONS} e
            where e.provider_id = q.provider_id and e.job_instance_uid = q.job_instance_uid and e.result <> 'DidntRun'
              and e.started_at >= q.last_started_at - make_interval(days => ${CADENCE_DAYS}) and e.started_at <= q.last_started_at
            order by e.started_at desc limit ${STARTS_MAX} offset 0) r) s
        order by q.job_instance_uid`,
  );
}

function stalledJobOf({ jobInstanceUid, starts, ...reported }: WatchedJob, now: Date): StalledJob[] {
  const schedule = { ...reported, isEnabled: true, isRemoved: false, intervalMs: null };
  const stall = stallOf(schedule, starts, now.getTime());
  const lastMs = starts.at(-1);
  return stall === null || lastMs === undefined
    ? []
    : [{ ...stall, jobInstanceUid, lastMs, sinceMs: reported.sinceMs }];
}

function missedOf({ jobInstanceUid, due, cadence, sinceMs }: StalledJob, now: Date) {
  const { expectedAtMs } = due;
  const stretch = { expectedAtMs, sinceMs, horizonMs: now.getTime(), countMax: MISSED_IN_A_ROW_MAX };
  return missedSlots(cadence, stretch).map((slot) => ({ jobInstanceUid, expectedAtMs: slot, cadence }));
}

/** Stores what the jobs are due for. Skips a job with a newer run or another schedule since it was read. */
async function storeDue(pool: Pool, { providerId, quiet }: Quiet, stalled: readonly StalledJob[]): Promise<void> {
  const instants = (of: (job: StalledJob) => number) => numberArray(stalled.map(of), 'timestamptz');
  await transaction(pool, async (connection) => {
    await lockExecutions(connection, providerId);
    await execute(
      connection,
      sql`update ${JOBS} j set expected_at = k.expected_at, overdue_at = k.overdue_at
          from unnest(${uuidArray(stalled.map((job) => job.jobInstanceUid))}, ${instants((job) => job.lastMs)},
            ${instants((job) => job.due.expectedAtMs)}, ${instants((job) => job.due.overdueAtMs)}) as k (job, last, expected_at, overdue_at)
          where j.provider_id = ${providerId} and j.job_instance_uid = k.job and j.last_started_at = k.last
            and j.is_enabled and j.removed_at is null and j.interval_ms is null and ${quiet}
            and j.overdue_at is distinct from k.overdue_at`,
    );
  });
}

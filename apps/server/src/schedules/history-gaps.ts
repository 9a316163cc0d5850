import { sql } from 'drizzle-orm';
import { type Connection, type Pool, rows } from '../foundation/database.ts';
import { JOB_DAYS } from '../runs/day-rollups.ts';
import { JOB_EXECUTIONS } from '../runs/job-executions.ts';
import { JOBS } from '../runs/jobs.ts';
import { millisecondsOf } from '../runs/rows/column-arrays.ts';
import { cadenceOf, slotsBetween } from './cadence.ts';
import { MISSED_IN_A_ROW_MAX, type MissedRun, storeMissedRuns } from './missed-runs.ts';

/**
 * Limits of one page: at most so many jobs, and no further job after so many starts. A job every 15 minutes has 12,000
 * starts in the 130 days of a first sync.
 */
export interface PageMax {
  jobs: number;
  starts: number;
}
const PAGE_MAX: PageMax = { jobs: 250, starts: 100_000 };
/** Days before the range that show the cadence and the last run before it. */
const CADENCE_DAYS = 30;

/** When a job ran and when it missed a run, in order. */
export interface JobStarts {
  jobInstanceUid: string;
  intervalMs: number | null;
  /** Since when the job is expected to run as it is now (see expected-runs.ts); `null`: it always was. */
  sinceMs: number | null;
  ran: number[] | null;
  missed: number[] | null;
}

/**
 * Writes the missed runs in a range of history that was read at once: after the first sync, or after a time in which
 * the source could not be read. Only between two known runs of a job: nothing is known before the first, and
 * `findStalledJobs` and `findMissedRuns` find what comes after the last. At most the newest 60 per job. Returns how
 * many were written.
 */
export async function fillGaps(
  pool: Pool,
  source: { providerId: number; id: string },
  range: { from: Date; to: Date },
): Promise<number> {
  let written = 0;
  for await (const jobs of pagesOfStarts(pool, source, range)) {
    const missed = jobs.flatMap((job) => missedBetween(job, range));
    written += await storeMissedRuns(pool, source.providerId, missed);
  }
  return written;
}

/** Yields the starts of a source's jobs, page by page in the order of the jobs' ids. */
export async function* pagesOfStarts(
  connection: Connection,
  source: { providerId: number; id: string },
  range: { from: Date; to: Date },
  pageMax: PageMax = PAGE_MAX,
): AsyncGenerator<JobStarts[]> {
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const jobs = await listStarts(connection, source, range, { after, ...pageMax });
    const last = jobs.at(-1);
    if (last === undefined) return;
    yield jobs;
    after = last.jobInstanceUid;
  }
}

/**
 * Lists a page of jobs with their starts; the sums of days say beforehand how many these are. Only jobs that can be
 * overdue: for others it is unknown which runs were expected.
 */
function listStarts(
  connection: Connection,
  source: { providerId: number; id: string },
  { from, to }: { from: Date; to: Date },
  page: PageMax & { after: string },
): Promise<JobStarts[]> {
  const starts = sql`array_agg(${millisecondsOf('e.started_at')} order by e.started_at)`;
  const firstDay = sql`(${from}::timestamptz - make_interval(days => ${CADENCE_DAYS}))::date`;
  return rows<JobStarts>(
    connection,
    sql`with counted as (
          select j.provider_id, j.job_instance_uid, j.interval_ms, j.scheduled_since, coalesce(d.starts, 0) as starts from ${JOBS} j
          cross join lateral (select sum(d.success + d.warning + d.failed + d.running + d.didnt_run) as starts from ${JOB_DAYS} d
            where d.provider_id = j.provider_id and d.job_instance_uid = j.job_instance_uid and d.day between ${firstDay} and ${to}::date) d
          where j.provider_id = ${source.providerId} and j.source_id = ${source.id} and j.job_instance_uid > ${page.after}
            and j.overdue_at is not null
          order by j.job_instance_uid limit ${page.jobs}),
        paged as (select *, sum(starts) over (order by job_instance_uid) - starts as before from counted)
        select p.job_instance_uid as "jobInstanceUid", p.interval_ms as "intervalMs",
          ${millisecondsOf('p.scheduled_since')} as "sinceMs", s.ran, s.missed from paged p
        cross join lateral (select ${starts} filter (where e.result <> 'DidntRun') as ran, ${starts} filter (where e.result = 'DidntRun') as missed
          from ${JOB_EXECUTIONS} e where e.provider_id = p.provider_id and e.job_instance_uid = p.job_instance_uid
            and e.started_at >= ${from}::timestamptz - make_interval(days => ${CADENCE_DAYS}) and e.started_at <= ${to}) s
        where p.before < ${page.starts} order by p.job_instance_uid`,
  );
}

/**
 * Returns the expected starts between known ones at which nothing ran. The cadence is that of all known runs of the
 * time, not only of the last successful ones in job state: a failed run is not a missed one. While the job was off or
 * had another cadence, nothing was expected of it.
 */
function missedBetween(
  { jobInstanceUid, intervalMs, sinceMs, ran, missed }: JobStarts,
  { from, to }: { from: Date; to: Date },
): MissedRun[] {
  const runs = ran ?? [];
  const cadence = cadenceOf(intervalMs, () => runs);
  if (cadence === null) return [];
  const known = [...runs, ...(missed ?? [])].sort((one, other) => one - other);
  return known
    .flatMap((start, index) => {
      const next = known[index + 1];
      if (next === undefined || next < from.getTime()) return [];
      return slotsBetween(cadence, Math.max(start, sinceMs ?? start), next, MISSED_IN_A_ROW_MAX);
    })
    .filter((slot) => slot >= from.getTime() && slot < to.getTime())
    .slice(-MISSED_IN_A_ROW_MAX)
    .map((expectedAtMs) => ({ jobInstanceUid, expectedAtMs, cadence }));
}

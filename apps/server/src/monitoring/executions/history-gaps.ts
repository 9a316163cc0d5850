import { sql } from 'drizzle-orm';
import { type Connection, type Pool, rows } from '../../foundation/database.ts';
import { millisecondsOf } from './job-memory.ts';
import { MISSED_IN_A_ROW_MAX, type MissedRun, takeMissedRuns } from './missed-runs.ts';

/** Before this many runs a job without a schedule has no rhythm. */
const RUNS_MIN = 4;
/** Rhythms longer than this are not guessed: months differ in length. */
const GUESSED_DAYS_MAX = 8;

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
  return takeMissedRuns(pool, source.providerId, await listGaps(pool, source, range));
}

/**
 * The rhythm is the schedule's, or the median time between the job's runs; the rules are those of expected-runs.ts: half an
 * interval of grace, and of a guessed rhythm only slots at which the job ran in another week.
 */
function listGaps(
  connection: Connection,
  source: { providerId: number; id: string },
  { from, to }: { from: Date; to: Date },
): Promise<MissedRun[]> {
  return rows<MissedRun>(
    connection,
    sql`with runs as materialized (
          select e.job_instance_uid as job, e.started_at as at, j.interval_ms as planned,
            lead(e.started_at) over (partition by e.job_instance_uid order by e.started_at) as next
          from jobs j join job_executions e on e.provider_id = j.provider_id and e.job_instance_uid = j.job_instance_uid
          where j.provider_id = ${source.providerId} and j.source_id = ${source.id} and j.is_enabled and j.removed_at is null
            and coalesce(j.schedule_type, '') not in ('Disabled', 'Continuously')
            and (coalesce(j.schedule_type, '') <> 'Chained' or j.interval_ms is not null)
            and e.started_at >= ${from}::timestamptz - interval '30 days' and e.started_at <= ${to}),
        rhythms as (
          select job, planned is null as is_guessed, make_interval(secs => coalesce(planned / 1000.0,
            percentile_disc(0.5) within group (order by extract(epoch from next - at)))::float8) as step
          from runs group by job, planned having planned is not null or count(*) > ${RUNS_MIN}),
        slots as (
          select r.job, r.at + k * y.step as at, y.is_guessed, g.grace,
            row_number() over (partition by r.job order by r.at + k * y.step desc) as place
          from runs r join rhythms y on y.job = r.job
          cross join lateral (select least(interval '12 hours', greatest(interval '30 minutes', y.step / 2)) as grace) g
          cross join lateral generate_series(1, least(${MISSED_IN_A_ROW_MAX}, floor(extract(epoch from r.next - r.at - g.grace) / extract(epoch from y.step)))::int) as k
          where y.step >= interval '1 minute' and r.next > r.at + y.step + g.grace and r.next >= ${from}
            and (not y.is_guessed or y.step <= make_interval(days => ${GUESSED_DAYS_MAX}))
            and r.at + k * y.step + g.grace < r.next and r.at + k * y.step >= ${from}
            and (not y.is_guessed or exists (select from runs w where w.job = r.job and w.at between r.at + k * y.step - interval '7 days' - g.grace
              and r.at + k * y.step - interval '7 days' + g.grace) or exists (select from runs w where w.job = r.job
              and w.at between r.at + k * y.step + interval '7 days' - g.grace and r.at + k * y.step + interval '7 days' + g.grace)))
        select job as "jobInstanceUid", ${millisecondsOf('at')} as "expectedAtMs" from slots where place <= ${MISSED_IN_A_ROW_MAX}`,
  );
}

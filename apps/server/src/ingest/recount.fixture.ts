import { type SQL, sql } from 'drizzle-orm';
import { type Pool, rows } from '../foundation/database.ts';
import { WHOLE_DURATION } from '../runs/whole-duration.ts';

const SUMS = sql`count(*) filter (where result = 'Success') as success, count(*) filter (where result = 'Warning') as warning,
  count(*) filter (where result = 'Failed') as failed, count(*) filter (where result = 'Running') as running,
  count(*) filter (where result = 'DidntRun') as didnt_run, count(*) filter (where cardinality(anomalies) > 0) as anomalies,
  count(*) filter (where result in ('Success', 'Warning') and transferred_bytes is null) as unmeasured,
  coalesce(sum(transferred_bytes), 0) as transferred_bytes`;
const SUM_NAMES = sql`success, warning, failed, running, didnt_run, anomalies, unmeasured, transferred_bytes`;
const UTC_DAY = sql`(started_at at time zone 'UTC')::date`;

/**
 * Returns the stored sums of days and a recount of the executions: two lists that have to be equal. Days are those of UTC, or what
 * `dayOf` says of the instant of a start.
 */
export async function rollupsAndRecount(
  pool: Pool,
  dayOf?: (startedAtMs: number) => string,
): Promise<{ stored: unknown[]; counted: unknown[] }> {
  const day = dayOf === undefined ? UTC_DAY : await daysOfStarts(pool, dayOf);
  const isAny = sql`success + warning + failed + running + didnt_run > 0`;
  const stored = await rows(
    pool,
    sql`select 'job' as kind, day, job_instance_uid::text as of, source_group, ${SUM_NAMES}, duration_ms_max from job_days where ${isAny}
        union all select 'company', day, company_id::text, source_group, ${SUM_NAMES}, null from company_days where ${isAny}
        union all select 'provider', day, null, source_group, ${SUM_NAMES}, null from provider_days where ${isAny} order by 1, 2, 3, 4`,
  );
  const counted = await rows(
    pool,
    sql`select 'job' as kind, ${day} as day, job_instance_uid::text as of, source_group, ${SUMS}, coalesce(max(${WHOLE_DURATION}), 0) as duration_ms_max
        from job_executions e group by 2, 3, 4
        union all select 'company', ${day}, coalesce(company_id, '00000000-0000-0000-0000-000000000000')::text, source_group, ${SUMS}, null
        from job_executions group by 2, 3, 4
        union all select 'provider', ${day}, null, source_group, ${SUMS}, null from job_executions group by 2, 4 order by 1, 2, 3, 4`,
  );
  return { stored, counted };
}

/** The day of an execution as an expression. */
async function daysOfStarts(pool: Pool, dayOf: (startedAtMs: number) => string): Promise<SQL> {
  const starts = await rows<{ at: string }>(pool, sql`select distinct started_at as at from job_executions`);
  const days = Object.fromEntries(starts.map(({ at }) => [Date.parse(at), dayOf(Date.parse(at))]));
  return sql`(${JSON.stringify(days)}::jsonb ->> round(extract(epoch from started_at) * 1000)::bigint::text)::date`;
}

/** Returns everything that ingesting runs writes, in a comparable form. */
export async function everythingIngested(pool: Pool): Promise<unknown> {
  return {
    executions: await rows(pool, sql`select * from job_executions order by started_at, id`),
    logs: await rows(pool, sql`select * from job_execution_logs order by started_at, execution_id`),
    jobs: await rows(
      pool,
      sql`select job_instance_uid, last_execution_id, last_started_at, last_ended_at, last_result, is_last_fine, last_success_at, expected_at, overdue_at,
            encode(baseline, 'hex') as baseline from jobs order by 1`,
    ),
    ...(await rollupsAndRecount(pool)),
    faults: await rows(pool, sql`select * from faults order by opened_at, id`),
  };
}

export async function forgetEverythingIngested(pool: Pool): Promise<void> {
  await pool.query(
    'truncate job_executions, job_execution_logs, job_days, company_days, provider_days, day_clocks, faults',
  );
  await pool.query(
    `update jobs set last_execution_id = null, last_started_at = null, last_ended_at = null, last_result = null, is_last_fine = false, last_success_at = null,
       expected_at = null, overdue_at = null, last_missed_at = null, baseline = null`,
  );
}

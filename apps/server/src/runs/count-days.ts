import { type SQL, sql } from 'drizzle-orm';
import type { DayPart, DaySpan } from '../backup-days/day-clocks.ts';
import { type Connection, execute } from '../foundation/database.ts';
import { storedSum } from './bounded-sums.ts';
import { NO_COMPANY, SUMS } from './day-rollups.ts';
import { numberArray } from './rows/column-arrays.ts';
import { WHOLE_DURATION } from './whole-duration.ts';

const countOf = (condition: SQL) => sql`count(*) filter (where ${condition})`;

/** The sums of executions (alias `e`), as `DayRollups` adds them up. */
const SUMS_OF_RUNS = sql`${countOf(sql`e.result = 'Success'`)} as success, ${countOf(sql`e.result = 'Warning'`)} as warning,
  ${countOf(sql`e.result = 'Failed'`)} as failed, ${countOf(sql`e.result = 'Running'`)} as running,
  ${countOf(sql`e.result = 'DidntRun'`)} as didnt_run, ${countOf(sql`cardinality(e.anomalies) > 0`)} as anomalies,
  ${countOf(sql`e.result in ('Success', 'Warning') and e.transferred_bytes is null`)} as unmeasured,
  coalesce(sum(e.transferred_bytes), 0) as transferred_bytes`;

const TOTALS = sql`sum(success), sum(warning), sum(failed), sum(running), sum(didnt_run), sum(anomalies), sum(unmeasured),
  ${storedSum(sql`sum(transferred_bytes)`)}`;

/** Removes the sums of days. The caller has to hold the executions lock. */
export async function forgetDays(connection: Connection, providerId: number, { first, last }: DaySpan): Promise<void> {
  const [firstDay, lastDay] = [dateOf(first), dateOf(last)];
  for (const table of ['job_days', 'company_days', 'provider_days'])
    await execute(
      connection,
      sql`delete from ${sql.identifier(table)} where provider_id = ${providerId} and day between ${firstDay} and ${lastDay}`,
    );
}

const dateOf = (day: number) => sql`('1970-01-01'::date + ${day}::integer)`;

/**
 * Counts the executions of days of which no sums are stored. `offset 0` makes each part one range of an index, also where the
 * statistics are old. The caller has to hold the executions lock.
 */
export async function countDays(connection: Connection, providerId: number, parts: readonly DayPart[]): Promise<void> {
  if (parts.length === 0) return;
  const column = (of: (part: DayPart) => number, type: 'date' | 'timestamptz') => numberArray(parts.map(of), type);
  const days = column(({ day }) => day, 'date');
  const froms = column(({ fromMs }) => fromMs, 'timestamptz');
  const tos = column(({ toMs }) => toMs, 'timestamptz');
  await execute(
    connection,
    sql`with counted as materialized (
          select k.day, e.* from unnest(${days}, ${froms}, ${tos}) as k (day, from_at, to_at)
          cross join lateral (
            select e.job_instance_uid, e.company_id, e.source_group, min(e.started_at) as first_at, ${SUMS_OF_RUNS},
              coalesce(max(${WHOLE_DURATION}), 0) as duration_ms_max
            from job_executions e where e.provider_id = ${providerId} and e.started_at >= k.from_at and e.started_at < k.to_at
            group by 1, 2, 3 offset 0) e),
        companies as (
          insert into company_days (provider_id, day, company_id, source_group, ${SUMS})
          select ${providerId}, day, coalesce(company_id, ${NO_COMPANY}), source_group, ${TOTALS} from counted group by 2, 3, 4),
        provider as (
          insert into provider_days (provider_id, day, source_group, ${SUMS})
          select ${providerId}, day, source_group, ${TOTALS} from counted group by 2, 3)
        insert into job_days (provider_id, day, job_instance_uid, company_id, source_group, ${SUMS}, duration_ms_max)
        select ${providerId}, day, job_instance_uid, (array_agg(company_id order by first_at))[1],
          (array_agg(source_group order by first_at))[1], ${TOTALS}, max(duration_ms_max)
        from counted group by day, job_instance_uid`,
  );
}

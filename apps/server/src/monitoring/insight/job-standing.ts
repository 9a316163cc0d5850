import { type SQL, sql } from 'drizzle-orm';
import { isLeftOut } from '../executions/job-ignores.ts';

/** The job (alias `j`) is still in its source. */
export const STILL_THERE: SQL = sql`j.removed_at is null`;

/** The job (alias `j`) is planned, and its next run should have begun before now. */
export function isOverdue(now: Date): SQL {
  return sql`(j.is_enabled and j.overdue_at < ${now}::timestamptz)`;
}

/**
 * How a job (alias `j`) stands, as one of the figures of the dashboard: `disabled` and `DidntRun` as the lists of silent jobs
 * count them, otherwise its last result, or `never` without any. `null` for a disabled job that is left out: it
 * counts nowhere.
 */
export function standing(now: Date): SQL {
  return sql`case
    when not j.is_enabled then case when ${isLeftOut('disabled', now)} then null else 'disabled' end
    when ${isOverdue(now)} and not ${isLeftOut('didnt-run', now)} then 'DidntRun'
    else coalesce(j.last_result::text, 'never') end`;
}

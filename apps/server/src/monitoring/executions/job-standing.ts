import { type SQL, sql } from 'drizzle-orm';
import { isLeftOut } from './job-ignores.ts';
import { IS_ONE_JOB } from './shared-jobs.ts';
import { knownUntil } from './source-horizon.ts';

/** The job (alias `j`) is still in its source. */
export const STILL_THERE: SQL = sql`j.removed_at is null`;

/** The job (alias `j`) is one of those that figures count: still in its source, and not the row of runs that may be of several. */
export const COUNTED: SQL = sql`${STILL_THERE} and ${IS_ONE_JOB}`;

/**
 * The job (alias `j`) is planned, and its next run should have begun before now and before the time up to which its source was
 * read: while a console cannot be reached, nobody knows what ran. Only overdue jobs cost a look at their source.
 */
export function isOverdue(now: Date): SQL {
  return sql`(j.is_enabled and j.overdue_at < ${now}::timestamptz and exists (select from sources s
    where s.provider_id = j.provider_id and s.id = j.source_id and j.overdue_at < ${knownUntil(now)}))`;
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

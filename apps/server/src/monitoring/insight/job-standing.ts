import { type SQL, sql } from 'drizzle-orm';

/** Lists from which a person may leave a job out. */
export type IgnoreKind = 'didnt-run' | 'disabled';

/** The job (alias `j`) is still in its source. */
export const STILL_THERE: SQL = sql`j.removed_at is null`;

/** The job (alias `j`) is planned, and its next run should have begun before now. */
export function isOverdue(now: Date): SQL {
  return sql`(j.is_enabled and j.overdue_at < ${now}::timestamptz)`;
}

/** An ignore (alias `i`) that holds now. */
export function holdsNow(now: Date): SQL {
  return sql`(i.ignored_until is null or i.ignored_until > ${now}::timestamptz)`;
}

function isLeftOut(kind: IgnoreKind, now: Date): SQL {
  return sql`exists (select from job_ignores i where i.provider_id = j.provider_id and i.job_instance_uid = j.job_instance_uid
    and i.kind = ${kind} and ${holdsNow(now)})`;
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

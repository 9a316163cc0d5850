import { type SQL, sql } from 'drizzle-orm';
import { knownUntil, SOURCES } from '../runs/source-horizon.ts';
import { isIgnored } from './job-ignores.ts';
import { IS_ONE_JOB } from './shared-jobs.ts';

/** The job (alias `j`) is still in its source. */
export const STILL_THERE: SQL = sql`j.removed_at is null`;

/** Figures count the job (alias `j`): it is still in its source and not a shared job. */
export const COUNTED: SQL = sql`${STILL_THERE} and ${IS_ONE_JOB}`;

/**
 * The job (alias `j`) is enabled, and its next run should have begun before now and before the time up to which its source was read:
 * what ran while a console could not be reached is unknown. Its missed run is stored, too, so that a figure never counts a job whose
 * missed run no list has yet. Only overdue jobs cost a lookup of their source.
 */
export function isOverdue(now: Date): SQL {
  return sql`(j.is_enabled and j.overdue_at < ${now}::timestamptz and j.last_missed_at > coalesce(j.last_started_at, '-infinity')
    and exists (select from ${SOURCES} s where s.provider_id = j.provider_id and s.id = j.source_id and j.overdue_at < ${knownUntil(now)}))`;
}

/**
 * The status of a job (alias `j`) as the dashboard counts it: `disabled` or `DidntRun` as in the lists of inactive jobs, otherwise
 * its last result, or `never` if it has none. `null` for an ignored disabled job, which no figure counts.
 */
export function jobStatus(now: Date): SQL {
  return sql`case
    when not j.is_enabled then case when ${isIgnored('disabled', now)} then null else 'disabled' end
    when ${isOverdue(now)} and not ${isIgnored('didnt-run', now)} then 'DidntRun'
    else coalesce(j.last_result::text, 'never') end`;
}

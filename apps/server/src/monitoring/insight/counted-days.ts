import type { JobFilter } from '@keepwatch/contract/monitoring/filters';
import { type SQL, sql } from 'drizzle-orm';
import { every } from '../../foundation/conditions.ts';
import type { Scope } from '../../foundation/scope.ts';
import { jobConditions, jobsWithin } from '../executions/execution-filter.ts';
import type { Days } from '../executions/report-range.ts';

/** Days of a rollup (alias `d`). */
export function withinDays(days: Pick<Days, 'firstDay' | 'lastDay'>): SQL {
  return sql`d.day between ${days.firstDay}::date and ${days.lastDay}::date`;
}

/**
 * `from … where …` over day rollups (alias `d`) within reach, days and filter: of the whole provider, of companies or of jobs,
 * whichever is the smallest that can tell them apart as far as reach and filter do.
 */
export function rollups(scope: Scope, days: Days, filter: JobFilter): SQL {
  const isAboutSingleJobs = Boolean(filter.search) || Boolean(filter.jobInstanceUids?.length);
  if (isAboutSingleJobs) return jobRollups(scope, days, filter);
  const isAboutAllCompanies = scope.narrowedTo(filter.companyIds).companyIds === null && filter.managed === undefined;
  if (isAboutAllCompanies)
    return sql`from provider_days d where ${every([...jobConditions(scope, filter, 'd'), withinDays(days)])}`;
  return sql`from company_days d where ${every([...jobConditions(scope, filter, 'd'), withinDays(days)])}`;
}

/** The same over the rows by job. */
export function jobRollups(scope: Scope, days: Days, filter: JobFilter): SQL {
  const conditions = [...jobConditions(scope, filter, 'd'), withinDays(days)];
  if (filter.search)
    conditions.push(
      sql`d.job_instance_uid in (select j.job_instance_uid from jobs j where ${every(jobsWithin(scope, filter))})`,
    );
  return sql`from job_days d where ${every(conditions)}`;
}

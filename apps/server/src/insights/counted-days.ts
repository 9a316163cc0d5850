import type { JobFilter } from '@keepwatch/contract/executions/filters';
import { type SQL, sql } from 'drizzle-orm';
import { jobConditions, jobsWithin } from '../executions/execution-filter.ts';
import { every } from '../foundation/conditions.ts';
import type { Scope } from '../foundation/scope.ts';
import { COMPANY_DAYS, JOB_DAYS, PROVIDER_DAYS } from '../runs/day-rollups.ts';
import { JOBS } from '../runs/jobs.ts';
import type { Days } from '../runs/report-range.ts';

/** Limits a rollup (alias `d`) to days. */
export function withinDays(days: Pick<Days, 'firstDay' | 'lastDay'>): SQL {
  return sql`d.day between ${days.firstDay}::date and ${days.lastDay}::date`;
}

/**
 * Returns `from … where …` over day rollups (alias `d`) within scope, days and filter. Of the rollups by provider, company and job it
 * uses the smallest that scope and filter can be applied to.
 */
export function rollups(scope: Scope, days: Days, filter: JobFilter): SQL {
  const isAboutSingleJobs = Boolean(filter.search) || Boolean(filter.jobInstanceUids?.length);
  if (isAboutSingleJobs) return jobRollups(scope, days, filter);
  const isAboutAllCompanies = scope.narrowedTo(filter.companyIds).companyIds === null && filter.managed === undefined;
  if (isAboutAllCompanies)
    return sql`from ${PROVIDER_DAYS} d where ${every([...jobConditions(scope, filter, 'd'), withinDays(days)])}`;
  return sql`from ${COMPANY_DAYS} d where ${every([...jobConditions(scope, filter, 'd'), withinDays(days)])}`;
}

/** Like `rollups`, always over the rollups by job. */
export function jobRollups(scope: Scope, days: Days, filter: JobFilter): SQL {
  const conditions = [...jobConditions(scope, filter, 'd'), withinDays(days)];
  if (filter.search)
    conditions.push(
      sql`d.job_instance_uid in (select j.job_instance_uid from ${JOBS} j where ${every(jobsWithin(scope, filter))})`,
    );
  return sql`from ${JOB_DAYS} d where ${every(conditions)}`;
}

import type { JobFilter } from '@keepwatch/contract/executions/filters';
import type { InactiveJob, listDidntRun } from '@keepwatch/contract/insights/insights';
import type { OrderOf, SortOf } from '@keepwatch/contract/wire/sorts';
import { type SQL, sql } from 'drizzle-orm';
import { companyOf } from '../directory/companies.ts';
import { jobsWithin } from '../executions/execution-filter.ts';
import { type IgnoreKind, isActiveIgnore } from '../executions/job-ignores.ts';
import { COUNTED, isOverdue, jobStatus } from '../executions/job-status.ts';
import { every, orderOf } from '../foundation/conditions.ts';
import type { Connection } from '../foundation/database.ts';
import { type Page, readPage } from '../foundation/page.ts';
import type { Scope } from '../foundation/scope.ts';
import { JOB_IGNORES, JOBS } from '../runs/jobs.ts';

/** Jobs that have never run are listed, but cannot be ignored. */
type InactivityKind = IgnoreKind | 'never-ran';

export interface InactiveJobQuery {
  filter: JobFilter & { type: InactivityKind; ignored: boolean };
  sort?: OrderOf<typeof listDidntRun> | undefined;
  limit: number;
  offset: number;
  now: Date;
}

const SORTS: Readonly<Record<SortOf<typeof listDidntRun>, SQL>> = {
  expectedAt: sql`"expectedAt"`,
  lastStartedAt: sql`j.last_started_at`,
  jobName: sql`lower(j.name)`,
  companyName: sql`lower(c.name)`,
};
/** Sorts the longest overdue first, disabled jobs by their last run. */
const DEFAULT_SORT: Readonly<Record<InactivityKind, OrderOf<typeof listDidntRun>>> = {
  'didnt-run': 'expectedAt',
  disabled: '-lastStartedAt',
  'never-ran': 'jobName',
};

/** Selects the jobs (alias `j`) of a list, ignored ones included. */
const CONDITIONS: Readonly<Record<InactivityKind, (now: Date) => SQL>> = {
  'didnt-run': isOverdue,
  disabled: () => sql`not j.is_enabled`,
  // As on the dashboard, an overdue job is in the list of overdue jobs instead.
  'never-ran': (now) => sql`j.last_result is null and ${jobStatus(now)} = 'never'`,
};

export function inactiveJobQuery(scope: Scope, query: InactiveJobQuery): SQL {
  const { type } = query.filter;
  return sql`select j.job_instance_uid as "jobInstanceUid", j.name as "jobName", c.id as "companyId", c.name as "companyName",
      j.source_group as "sourceGroup", j.server_name as "serverName", j.schedule_type as "scheduleType",
      j.last_started_at as "lastStartedAt", j.last_result as "lastResult",
      ${type === 'didnt-run' ? sql`j.expected_at` : sql`null::timestamptz`} as "expectedAt",
      i.job_instance_uid is not null as "isIgnored", i.ignored_until as "ignoredUntil"
    ${inactiveJobs(scope, query)}
    order by ${orderOf(SORTS, query.sort ?? DEFAULT_SORT[type])}, j.job_instance_uid limit ${query.limit} offset ${query.offset}`;
}

export function inactiveJobCountQuery(scope: Scope, query: InactiveJobQuery): SQL {
  return sql`select count(*) as count ${inactiveJobs(scope, query)}`;
}

function inactiveJobs(scope: Scope, { filter, now }: InactiveJobQuery): SQL {
  const conditions = [...jobsWithin(scope, filter), COUNTED];
  conditions.push(CONDITIONS[filter.type](now));
  if (!filter.ignored) conditions.push(sql`i.job_instance_uid is null`);
  return sql`from ${JOBS} j
    ${companyOf('j')}
    left join ${JOB_IGNORES} i on i.provider_id = j.provider_id and i.job_instance_uid = j.job_instance_uid and i.kind = ${filter.type}
      and ${isActiveIgnore(now)}
    where ${every(conditions)}`;
}

/** Lists jobs that are overdue as far as their sources were read, disabled, or have never run; ignored ones only on request. */
export function listInactiveJobs(
  connection: Connection,
  scope: Scope,
  query: InactiveJobQuery,
): Promise<Page<InactiveJob>> {
  return readPage<InactiveJob>(connection, inactiveJobQuery(scope, query), inactiveJobCountQuery(scope, query));
}

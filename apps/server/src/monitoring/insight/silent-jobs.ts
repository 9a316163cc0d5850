import type { JobFilter } from '@keepwatch/contract/monitoring/filters';
import type { SilentJob } from '@keepwatch/contract/monitoring/insight';
import { type SQL, sql } from 'drizzle-orm';
import { every, orderOf } from '../../foundation/conditions.ts';
import type { Connection } from '../../foundation/database.ts';
import { type Page, readPage } from '../../foundation/page.ts';
import type { Scope } from '../../foundation/scope.ts';
import { jobsWithin } from '../executions/execution-filter.ts';
import { holdsNow, type IgnoreKind } from '../executions/job-ignores.ts';
import { COUNTED, isOverdue, standing } from '../executions/job-standing.ts';

/** Jobs that have never run are listed, but there is nothing to ignore about them. */
type SilenceKind = IgnoreKind | 'never-ran';

export interface SilentJobQuery {
  filter: JobFilter & { type: SilenceKind; ignored: boolean };
  sort?: string | undefined;
  limit: number;
  offset: number;
  now: Date;
}

const SORTS: Readonly<Record<string, SQL>> = {
  expectedAt: sql`"expectedAt"`,
  lastStartedAt: sql`j.last_started_at`,
  jobName: sql`lower(j.name)`,
  companyName: sql`lower(c.name)`,
};
/** The longest overdue first; of disabled ones those that ran last. */
const DEFAULT_SORT: Readonly<Record<SilenceKind, string>> = {
  'didnt-run': 'expectedAt',
  disabled: '-lastStartedAt',
  'never-ran': 'jobName',
};

/** Which jobs (alias `j`) are of a list, ignored ones included. */
const CONDITIONS: Readonly<Record<SilenceKind, (now: Date) => SQL>> = {
  'didnt-run': isOverdue,
  disabled: () => sql`not j.is_enabled`,
  // As the dashboard counts them: one that is overdue is of that list.
  'never-ran': (now) => sql`j.last_result is null and ${standing(now)} = 'never'`,
};

export function silentJobQuery(scope: Scope, query: SilentJobQuery): SQL {
  const { type } = query.filter;
  return sql`select j.job_instance_uid as "jobInstanceUid", j.name as "jobName", j.company_id as "companyId", c.name as "companyName",
      j.source_group as "sourceGroup", j.server_name as "serverName", j.schedule_type as "scheduleType",
      j.last_started_at as "lastStartedAt", j.last_result as "lastResult",
      ${type === 'didnt-run' ? sql`j.expected_at` : sql`null::timestamptz`} as "expectedAt",
      i.job_instance_uid is not null as "isIgnored", i.ignored_until as "ignoredUntil"
    ${silentJobs(scope, query)}
    order by ${orderOf(SORTS, query.sort ?? DEFAULT_SORT[type])}, j.job_instance_uid limit ${query.limit} offset ${query.offset}`;
}

export function silentJobCountQuery(scope: Scope, query: SilentJobQuery): SQL {
  return sql`select count(*) as count ${silentJobs(scope, query)}`;
}

function silentJobs(scope: Scope, { filter, now }: SilentJobQuery): SQL {
  const conditions = [...jobsWithin(scope, filter), COUNTED];
  conditions.push(CONDITIONS[filter.type](now));
  if (!filter.ignored) conditions.push(sql`i.job_instance_uid is null`);
  return sql`from jobs j
    left join companies c on c.provider_id = j.provider_id and c.id = j.company_id
    left join job_ignores i on i.provider_id = j.provider_id and i.job_instance_uid = j.job_instance_uid and i.kind = ${filter.type}
      and ${holdsNow(now)}
    where ${every(conditions)}`;
}

/** Jobs that should have run and did not, as far as their sources were read, that are disabled, or that have never run; ignored ones only if asked for. */
export function listSilentJobs(connection: Connection, scope: Scope, query: SilentJobQuery): Promise<Page<SilentJob>> {
  return readPage<SilentJob>(connection, silentJobQuery(scope, query), silentJobCountQuery(scope, query));
}

import type { listJobNames } from '@keepwatch/contract/insights/calendar';
import type { DataSourceGroup } from '@keepwatch/contract/runs/values';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { type SQL, sql } from 'drizzle-orm';
import { companyOf } from '../directory/companies.ts';
import { jobConditions } from '../executions/execution-filter.ts';
import { COUNTED, STILL_THERE } from '../executions/job-status.ts';
import { JOB_NAME } from '../executions/shared-jobs.ts';
import { containing, every } from '../foundation/conditions.ts';
import type { Connection } from '../foundation/database.ts';
import { type Page, readPage } from '../foundation/page.ts';
import type { Scope } from '../foundation/scope.ts';
import { JOBS } from '../runs/jobs.ts';

export type JobName = CallReply<typeof listJobNames>['data'][number];

export interface JobNameQuery {
  search?: string | undefined;
  companyIds?: string[] | undefined;
  source?: DataSourceGroup[] | undefined;
  knownFrom?: string | undefined;
  withoutCompany?: boolean | undefined;
  /** Exactly these jobs, also removed ones: a link may be older than the removal. */
  ids?: string[] | undefined;
  limit: number;
  offset: number;
}

export function jobNameQuery(scope: Scope, query: JobNameQuery): SQL {
  return sql`select j.job_instance_uid as "jobInstanceUid", ${JOB_NAME} as "jobName", c.id as "companyId", c.name as "companyName",
      j.source_group as "sourceGroup"
    from ${JOBS} j ${companyOf('j')}
    where ${named(scope, query)} order by lower(j.name), lower(c.name), j.job_instance_uid limit ${query.limit} offset ${query.offset}`;
}

export function jobNameCountQuery(scope: Scope, query: JobNameQuery): SQL {
  return sql`select count(*) as count from ${JOBS} j ${companyOf('j')} where ${named(scope, query)}`;
}

function named(scope: Scope, query: JobNameQuery): SQL {
  const { companyIds, source, ids, search, knownFrom, withoutCompany } = query;
  const conditions = jobConditions(scope, { companyIds, source }, 'j');
  conditions.push(ids === undefined ? STILL_THERE : sql`j.job_instance_uid = any(${sql.param(ids)}::uuid[])`);
  if (knownFrom !== undefined) conditions.push(COUNTED, isKnownFrom(knownFrom));
  if (withoutCompany) conditions.push(COUNTED, sql`c.id is null`);
  if (search) conditions.push(sql`j.name ilike ${containing(search)}`);
  return every(conditions);
}

/** The job (alias `j`) was first seen at this time or later. */
export function isKnownFrom(instant: string): SQL {
  return sql`j.first_seen_at >= ${instant}::timestamptz`;
}

/** Lists jobs by name, for filters and figures. */
export function listNames(connection: Connection, scope: Scope, query: JobNameQuery): Promise<Page<JobName>> {
  return readPage<JobName>(connection, jobNameQuery(scope, query), jobNameCountQuery(scope, query));
}

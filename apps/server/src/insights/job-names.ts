import type { listJobNames } from '@keepwatch/contract/insights/calendar';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { type SQL, sql } from 'drizzle-orm';
import { companyOf } from '../directory/companies.ts';
import { STILL_THERE } from '../executions/job-status.ts';
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
  return sql`select count(*) as count from ${JOBS} j where ${named(scope, query)}`;
}

function named(scope: Scope, { companyIds, ids, search }: JobNameQuery): SQL {
  const conditions = [scope.narrowedTo(companyIds).rows('j')];
  conditions.push(ids === undefined ? STILL_THERE : sql`j.job_instance_uid = any(${sql.param(ids)}::uuid[])`);
  if (search) conditions.push(sql`j.name ilike ${containing(search)}`);
  return every(conditions);
}

/** Lists jobs by name, for filters. */
export function listNames(connection: Connection, scope: Scope, query: JobNameQuery): Promise<Page<JobName>> {
  return readPage<JobName>(connection, jobNameQuery(scope, query), jobNameCountQuery(scope, query));
}

import type { listJobNames } from '@keepwatch/contract/monitoring/insight';
import type { CallReply } from '@keepwatch/contract/wire/call';
import { type SQL, sql } from 'drizzle-orm';
import { containing, every } from '../../foundation/conditions.ts';
import type { Connection } from '../../foundation/database.ts';
import { type Page, readPage } from '../../foundation/page.ts';
import type { Scope } from '../../foundation/scope.ts';
import { STILL_THERE } from '../executions/job-standing.ts';

export type JobName = CallReply<typeof listJobNames>['data'][number];

export interface JobNameQuery {
  search?: string | undefined;
  companyIds?: string[] | undefined;
  /** These alone, also such as are no longer in their source: a link may name one. */
  jobInstanceUids?: string[] | undefined;
  limit: number;
  offset: number;
}

export function jobNameQuery(scope: Scope, query: JobNameQuery): SQL {
  return sql`select j.job_instance_uid as "jobInstanceUid", j.name as "jobName", j.company_id as "companyId", c.name as "companyName",
      j.source_group as "sourceGroup"
    from jobs j left join companies c on c.provider_id = j.provider_id and c.id = j.company_id
    where ${named(scope, query)} order by lower(j.name), lower(c.name), j.job_instance_uid limit ${query.limit} offset ${query.offset}`;
}

export function jobNameCountQuery(scope: Scope, query: JobNameQuery): SQL {
  return sql`select count(*) as count from jobs j where ${named(scope, query)}`;
}

function named(scope: Scope, { companyIds, jobInstanceUids, search }: JobNameQuery): SQL {
  const conditions = [scope.narrowedTo(companyIds).rows('j')];
  if (jobInstanceUids?.length) conditions.push(sql`j.job_instance_uid = any(${sql.param(jobInstanceUids)}::uuid[])`);
  else conditions.push(STILL_THERE);
  if (search) conditions.push(sql`j.name ilike ${containing(search)}`);
  return every(conditions);
}

/** Jobs by name, for filters. */
export function listNames(connection: Connection, scope: Scope, query: JobNameQuery): Promise<Page<JobName>> {
  return readPage<JobName>(connection, jobNameQuery(scope, query), jobNameCountQuery(scope, query));
}

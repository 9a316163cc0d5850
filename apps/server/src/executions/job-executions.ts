import type { ExecutionFilter } from '@keepwatch/contract/executions/filters';
import type { JobExecution, listJobExecutions } from '@keepwatch/contract/executions/job-executions';
import { COUNT_MAX } from '@keepwatch/contract/runs/values';
import type { OrderOf, SortOf } from '@keepwatch/contract/wire/sorts';
import { type SQL, sql } from 'drizzle-orm';
import { companyOf } from '../directory/companies.ts';
import { every } from '../foundation/conditions.ts';
import type { Connection } from '../foundation/database.ts';
import { type Page, readPage } from '../foundation/page.ts';
import type { Scope } from '../foundation/scope.ts';
import { type ExecutionRow, withAnomalyTexts } from '../runs/anomaly-texts.ts';
import { JOB_EXECUTIONS } from '../runs/job-executions.ts';
import { JOBS } from '../runs/jobs.ts';
import { SOURCES } from '../runs/source-horizon.ts';
import { WHOLE_DURATION } from '../runs/whole-duration.ts';
import { type ExecutionRange, executionConditions } from './execution-filter.ts';
import { isLatest, latestRuns } from './latest-runs.ts';
import { JOB_NAME } from './shared-jobs.ts';

/** Criteria by which executions are selected. */
export type ChosenBy = ExecutionRange & {
  filter: ExecutionFilter;
  /** A job's latest run depends on the current time. */
  now: Date;
};

export type ExecutionQuery = ChosenBy & {
  sort?: OrderOf<typeof listJobExecutions> | undefined;
  limit: number;
  offset: number;
};

/** Columns of an execution as callers see it; aliases `e` execution, `j` job, `c` company, `s` source. */
export const EXECUTION_COLUMNS = sql`e.id as "_id", e.job_instance_uid as "jobInstanceUid", ${JOB_NAME} as "jobName", j.shared_by as "sharedBy", j.job_type as "jobType",
  case when j.is_enabled then 'Enabled' else 'Disabled' end as "jobScheduleState", c.id as "companyId", c.name as "companyName",
  s.kind as source, j.tool, e.source_group as "sourceGroup", j.server_name as "serverName", e.result, e.state, e.started_at as "startedAt",
  e.ended_at as "endedAt", ${WHOLE_DURATION} as "durationMs", e.transferred_bytes as "transferredBytes", e.processed_bytes as "processedBytes",
  e.processed_files as "processedFiles", e.size_bytes as "sizeBytes", e.attempts, e.message, e.anomalies,
  case when e.is_doubtful then 'doubtful' else 'exact' end as match, e.notes->-1->>'content' as note,
  e.ignored_until as "ignoredUntil", e.changed_by_name as "changedBy", e.changed_at as "changedAt"`;

/** Input of `withAnomalyTexts`; read only for executions with an anomaly. */
export const BASELINE_COLUMN = sql`case when cardinality(e.anomalies) > 0 then j.baseline end as baseline, e.duration_ms as "lastAttemptMs"`;

const NAMES = sql`join ${JOBS} j on j.provider_id = e.provider_id and j.job_instance_uid = e.job_instance_uid
  ${companyOf('e')}`;
const SOURCE = sql`join ${SOURCES} s on s.provider_id = j.provider_id and s.id = j.source_id`;

/** The executions (alias `e`) within scope, range and filter, with their joins. */
export function chosenExecutions(scope: Scope, query: ChosenBy, joined = sql``): SQL {
  const { filter, now } = query;
  const conditions = executionConditions(scope, query, filter);
  if (filter.latest && query.from !== null) conditions.push(isLatest(now));
  const from = filter.latest && query.from === null ? latestRuns(scope, filter, now) : sql`${JOB_EXECUTIONS}`;
  return sql`${from} e ${joined} where ${every(conditions)}`;
}

/** Joins job, company and source. */
export const EXECUTION_NAMES = sql`${NAMES} ${SOURCE}`;
export const EXECUTION_TABLES = sql`job_executions e ${EXECUTION_NAMES}`;

const SORTS: Readonly<Record<SortOf<typeof listJobExecutions>, SQL>> = {
  startedAt: sql`e.started_at`,
  result: sql`e.result`,
  state: sql`e.state`,
  durationMs: WHOLE_DURATION,
  transferredBytes: sql`e.transferred_bytes`,
  jobName: sql`lower(j.name)`,
  companyName: sql`lower(c.name)`,
};

/** Sorts by the requested field, then newest first; the order of the same rows never varies. */
export function executionOrder(sort: ExecutionQuery['sort'] = '-startedAt'): SQL {
  const field = new Map(Object.entries<SQL>(SORTS)).get(sort.replace(/^-/, '')) ?? sql`e.started_at`;
  const direction = sort.startsWith('-') ? sql`desc nulls last` : sql`asc nulls first`;
  return sort.endsWith('startedAt')
    ? sql`e.started_at ${sql.raw(sort.startsWith('-') ? 'desc' : 'asc')}, e.id`
    : sql`${field} ${direction}, e.started_at desc, e.id`;
}

/** Selects the page first, joining names only to sort by them, and reads the other columns for its rows alone. */
export function executionListQuery(scope: Scope, query: ExecutionQuery): SQL {
  const order = executionOrder(query.sort);
  const names = query.sort?.endsWith('Name') ? NAMES : sql``;
  return sql`select ${EXECUTION_COLUMNS}, ${BASELINE_COLUMN} from (
      select e.* from ${chosenExecutions(scope, query, names)}
      order by ${order} limit ${query.limit} offset ${query.offset}) e ${NAMES} ${SOURCE}
    order by ${order}`;
}

export function executionCountQuery(scope: Scope, query: ExecutionQuery): SQL {
  return sql`select count(*) as count from (select from ${chosenExecutions(scope, query)} limit ${COUNT_MAX}) counted`;
}

/** Reads a page of executions and their total number (at most `COUNT_MAX`). */
export async function listExecutions(
  connection: Connection,
  scope: Scope,
  query: ExecutionQuery,
): Promise<Page<JobExecution>> {
  const [list, count] = [executionListQuery(scope, query), executionCountQuery(scope, query)];
  const page = await readPage<ExecutionRow<JobExecution>>(connection, list, count);
  return { ...page, data: page.data.map(withAnomalyTexts) };
}

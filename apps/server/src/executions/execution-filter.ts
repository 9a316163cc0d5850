import type { ExecutionFilter, JobFilter } from '@keepwatch/contract/executions/filters';
import { type SQL, sql } from 'drizzle-orm';
import { COMPANIES } from '../directory/companies.ts';
import { containing } from '../foundation/conditions.ts';
import type { Scope } from '../foundation/scope.ts';
import { JOBS } from '../runs/jobs.ts';
import type { ReportRange } from '../runs/report-range.ts';

/** The range in which executions started; `null` for any time. */
export type ExecutionRange = ReportRange | { from: null; to: null };

/** Rows within scope and filter, of a table with `provider_id`, `company_id`, `job_instance_uid` and `source_group`. */
export function jobConditions(scope: Scope, filter: JobFilter, alias: string): SQL[] {
  const table = sql.identifier(alias);
  const conditions = [scope.narrowedTo(filter.companyIds).rows(alias)];
  if (filter.source?.length)
    conditions.push(sql`${table}.source_group = any(${sql.param(filter.source)}::data_source_group[])`);
  if (filter.jobInstanceUids?.length)
    conditions.push(sql`${table}.job_instance_uid = any(${sql.param(filter.jobInstanceUids)}::uuid[])`);
  if (filter.managed !== undefined) {
    conditions.push(
      sql`exists (select from ${COMPANIES} m where m.provider_id = ${table}.provider_id and m.id = ${table}.company_id and m.is_managed = ${filter.managed} and m.deleted_at is null)`,
    );
  }
  return conditions;
}

/** Jobs (alias `j`) within scope and filter; the text matches the names of job and company. */
export function jobsWithin(scope: Scope, filter: JobFilter): SQL[] {
  const conditions = jobConditions(scope, filter, 'j');
  if (filter.search) {
    const pattern = containing(filter.search);
    conditions.push(sql`(j.name ilike ${pattern} or ${ofCompanyNamed(scope, 'j', pattern)})`);
  }
  return conditions;
}

/** Written so that names are searched once, not for every row. */
function ofCompanyNamed(scope: Scope, alias: string, pattern: string): SQL {
  return sql`${sql.identifier(alias)}.company_id in (select named.id from ${COMPANIES} named where ${scope.companies('named')} and named.deleted_at is null and named.name ilike ${pattern})`;
}

/** Rows (by their alias) whose job or company has a name like a pattern. */
export function ofNames(scope: Scope, alias: string, pattern: string): SQL {
  return sql`(${sql.identifier(alias)}.job_instance_uid in (select named.job_instance_uid from ${JOBS} named where ${scope.rows('named')} and named.name ilike ${pattern})
    or ${ofCompanyNamed(scope, alias, pattern)})`;
}

/** Rows (by their alias) of runs that may belong to several jobs of one name. */
export function areUnassigned(scope: Scope, alias: string): SQL {
  return sql`${sql.identifier(alias)}.job_instance_uid in (select shared.job_instance_uid from ${JOBS} shared where ${scope.rows('shared')} and shared.shared_by is not null)`;
}

/** Executions (alias `e`) within scope, range and filter, except `latest` (see job-executions.ts). */
export function executionConditions(scope: Scope, range: ExecutionRange, filter: ExecutionFilter): SQL[] {
  const conditions = jobConditions(scope, filter, 'e');
  if (range.from !== null)
    conditions.push(sql`e.started_at >= ${range.from}::timestamptz and e.started_at <= ${range.to}::timestamptz`);
  conditions.push(stateCondition(filter));
  conditions.push(...resultConditions(filter));
  if (!filter.anomaly) conditions.push(sql`not (e.result = 'Success' and cardinality(e.anomalies) > 0)`);
  if (filter.unassigned) conditions.push(areUnassigned(scope, 'e'));
  if (filter.search) {
    const pattern = containing(filter.search);
    conditions.push(sql`(e.message ilike ${pattern} or ${ofNames(scope, 'e', pattern)})`);
  }
  return conditions;
}

/** Results and doubtful runs are one choice: what is any of them belongs to the list. */
function resultConditions({ type, doubtful }: ExecutionFilter): SQL[] {
  const ofResults = type?.length ? [sql`e.result = any(${sql.param(type)}::execution_result[])`] : [];
  const chosen = doubtful ? [...ofResults, sql`cardinality(e.anomalies) > 0`] : ofResults;
  return chosen.length === 0 ? [] : [sql`(${sql.join(chosen, sql` or `)})`];
}

/** Written so that "pending" uses the partial index of open executions. */
function stateCondition(filter: ExecutionFilter): SQL {
  const state = filter.state ?? 'all';
  if (state === 'all') return filter.ignored ? sql`true` : sql`e.state <> 'ignored'`;
  if (filter.ignored && state !== 'ignored') return sql`e.state in (${state}, 'ignored')`;
  return state === 'pending' || state === 'in-progress'
    ? sql`e.state in ('pending', 'in-progress') and e.state = ${state}`
    : sql`e.state = ${state}`;
}

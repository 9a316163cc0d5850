import type { CompanyRow, listCompanies } from '@keepwatch/contract/companies/companies';
import type { DataSourceGroup } from '@keepwatch/contract/runs/values';
import type { OrderOf, SortOf } from '@keepwatch/contract/wire/sorts';
import { type SQL, sql } from 'drizzle-orm';
import { COMPANIES, COMPANY_COLUMNS, companiesWithin, companyTables } from '../directory/companies.ts';
import { jobConditions } from '../executions/execution-filter.ts';
import { COUNTED, jobStatus } from '../executions/job-status.ts';
import { every, orderOf } from '../foundation/conditions.ts';
import { type Connection, row } from '../foundation/database.ts';
import { type Page, readPage } from '../foundation/page.ts';
import type { Scope } from '../foundation/scope.ts';
import { shownSum } from '../runs/bounded-sums.ts';
import { FAULTS, IS_OPEN_WORK } from '../runs/faults/faults.ts';
import { JOB_EXECUTIONS } from '../runs/job-executions.ts';
import { JOBS } from '../runs/jobs.ts';

/** How far back pending executions count; older ones are in the daily checks of their days. */
const PENDING_DAYS = 30;

export interface CompanyRowFilter {
  search?: string | undefined;
  isActive?: boolean | undefined;
  ids?: string[] | undefined;
  /** Only companies that have jobs, with `source` jobs of these sources. */
  withJobs?: boolean | undefined;
  source?: DataSourceGroup[] | undefined;
  sort?: OrderOf<typeof listCompanies> | undefined;
  now: Date;
}

export interface CompanyRowQuery extends CompanyRowFilter {
  limit: number;
  offset: number;
}

const SORTS: Readonly<Record<SortOf<typeof listCompanies>, SQL>> = {
  trouble: sql`array[coalesce(t.failed, 0), coalesce(t.didnt_run, 0), coalesce(d.doubtful, 0), coalesce(t.warning, 0)]`,
  name: sql`lower(c.name)`,
  jobs: sql`"jobs"`,
  failed: sql`failed`,
  warning: sql`warning`,
  didntRun: sql`"didntRun"`,
  doubtful: sql`doubtful`,
  pending: sql`pending`,
  lastRunAt: sql`"lastRunAt"`,
  backupSizeBytes: sql`"backupSizeBytes"`,
};

export function companyRowQuery(scope: Scope, query: CompanyRowQuery): SQL {
  return sql`${allCompanyRowsQuery(scope, query)} limit ${query.limit} offset ${query.offset}`;
}

/** All companies of a query, as its export has them. */
export function allCompanyRowsQuery(scope: Scope, query: CompanyRowFilter): SQL {
  return sql`${withStatus(scope, query.now)} where ${listed(scope, query)} order by ${orderOf(SORTS, query.sort ?? 'name')}, lower(c.name), c.id`;
}

export function companyRowCountQuery(scope: Scope, query: CompanyRowQuery): SQL {
  return sql`select count(*) as count from ${COMPANIES} c where ${listed(scope, query)}`;
}

function listed(scope: Scope, { search, isActive, ids, withJobs, source }: CompanyRowFilter): SQL {
  const conditions = companiesWithin(scope.narrowedTo(ids), search);
  if (isActive !== undefined) conditions.push(sql`c.is_active = ${isActive}`);
  if (withJobs) {
    const jobs = every([...jobConditions(scope, { source }, 'j'), COUNTED]);
    conditions.push(sql`c.id in (select j.company_id from ${JOBS} j where ${jobs})`);
  }
  return every(conditions);
}

export function withoutCompanyQuery(scope: Scope): SQL {
  return sql`select count(*) as jobs, ${shownSum(sql`sum(j.backup_size_bytes)`)} as "backupSizeBytes"
    from ${JOBS} j where ${scope.rows('j')} and ${COUNTED} and not exists (
      select from ${COMPANIES} c where c.provider_id = j.provider_id and c.id = j.company_id and c.deleted_at is null)`;
}

/** Jobs without a company, or of one that was removed, and their stored bytes: the difference between all companies and the whole. */
export async function countWithoutCompany(
  connection: Connection,
  scope: Scope,
): Promise<{ jobs: number; backupSizeBytes: number }> {
  const counted = await row<{ jobs: number; backupSizeBytes: number }>(connection, withoutCompanyQuery(scope));
  if (counted === null) throw new Error('An aggregate without groups gave no row.');
  return counted;
}

/**
 * Counts the jobs, open executions and doubtful jobs in scope by company, in one pass. `offset 0` has each job's status determined once: otherwise
 * the planner would repeat it in every figure.
 */
function withStatus(scope: Scope, now: Date): SQL {
  return sql`select ${COMPANY_COLUMNS}, coalesce(t.jobs, 0) as jobs, coalesce(t.disabled, 0) as "disabledJobs", coalesce(t.failed, 0) as failed,
      coalesce(t.warning, 0) as warning, coalesce(t.didnt_run, 0) as "didntRun", coalesce(d.doubtful, 0) as doubtful, coalesce(o.pending, 0) as pending,
      t.last_run_at as "lastRunAt", coalesce(t.size, 0) as "backupSizeBytes"
    from ${companyTables(scope)}
    left join (
      select s.company_id, count(*) as jobs, ${figure('disabled')} as disabled, ${figure('Failed')} as failed, ${figure('Warning')} as warning,
        ${figure('DidntRun')} as didnt_run, max(s.last_started_at) as last_run_at, ${shownSum(sql`sum(s.size)`)} as size
      from (select j.company_id, j.last_started_at, j.backup_size_bytes as size, ${jobStatus(now)} as job_status
        from ${JOBS} j where ${scope.rows('j')} and ${COUNTED} offset 0) s
      group by s.company_id) t on t.company_id = c.id
    left join (
      select e.company_id, count(*) as pending from ${JOB_EXECUTIONS} e
      where ${scope.rows('e')} and e.started_at >= ${now}::timestamptz - make_interval(days => ${PENDING_DAYS})
        and e.state in ('pending', 'in-progress') and e.state = 'pending'
      group by e.company_id) o on o.company_id = c.id
    left join (
      select f.company_id, count(*) as doubtful from ${FAULTS} f where ${scope.rows('f')} and ${IS_OPEN_WORK} and f.kind = 'doubtful'
      group by f.company_id) d on d.company_id = c.id`;
}

function figure(requested: string): SQL {
  return sql`count(*) filter (where s.job_status = ${requested})`;
}

/** Reads companies with the status of their jobs, counted as on the dashboard. */
export function listCompanyRows(
  connection: Connection,
  scope: Scope,
  query: CompanyRowQuery,
): Promise<Page<CompanyRow>> {
  return readPage(connection, companyRowQuery(scope, query), companyRowCountQuery(scope, query));
}

/** Reads one company; `null` if it is outside the caller's scope. */
export function findCompanyRow(
  connection: Connection,
  scope: Scope,
  companyId: string,
  now: Date,
): Promise<CompanyRow | null> {
  const alone = scope.narrowedTo([companyId]);
  return row(connection, sql`${withStatus(alone, now)} where ${every(companiesWithin(alone))}`);
}

import type { ExecutionFilter, JobFilter } from '@keepwatch/contract/executions/filters';
import type { OverviewStats } from '@keepwatch/contract/insights/insights';
import { type SQL, sql } from 'drizzle-orm';
import { COMPANIES } from '../directory/companies.ts';
import { jobsWithin } from '../executions/execution-filter.ts';
import { type ExecutionQuery, executionCountQuery } from '../executions/job-executions.ts';
import { COUNTED, jobStatus } from '../executions/job-status.ts';
import { every } from '../foundation/conditions.ts';
import { type Connection, row } from '../foundation/database.ts';
import { readCount } from '../foundation/page.ts';
import type { Scope } from '../foundation/scope.ts';
import { shownSum, transferredOf } from '../runs/bounded-sums.ts';
import { JOBS } from '../runs/jobs.ts';
import { type Days, daysBefore, type ReportRange } from '../runs/report-range.ts';
import { rollups } from './counted-days.ts';

export interface OverviewQuery {
  range: ReportRange;
  days: Days;
  filter: JobFilter;
  now: Date;
}

type JobFigures = Omit<OverviewStats, 'pending' | Rates | Transferred>;
type RunFigures = Pick<OverviewStats, Rates | Transferred>;
type Rates = 'successRate' | 'warningRate' | 'successRateBefore' | 'successRuns' | 'warningRuns' | 'countedRuns';
type Transferred = 'transferredBytes' | 'isTransferredPartial';

/** Counts each job once, by its current status. Groups first, so that few rows remain to count companies among. */
export function overviewJobsQuery(scope: Scope, { filter, now }: OverviewQuery): SQL {
  return sql`select count(distinct c.id) as companies, coalesce(sum(t.jobs), 0)::bigint as jobs,
      coalesce(sum(t.jobs) filter (where c.id is null), 0)::bigint as "jobsWithoutCompany", ${figure('success', 'Success')},
      ${figure('warning', 'Warning')}, ${figure('failed', 'Failed')}, ${figure('running', 'Running')}, ${figure('didntRun', 'DidntRun')},
      ${figure('neverRan', 'never')}, ${figure('disabled', 'disabled')}, ${shownSum(sql`sum(t.size)`)} as "backupSizeBytes"
    from (select j.company_id, ${jobStatus(now)} as job_status, count(*) as jobs, sum(j.backup_size_bytes) as size
      from ${JOBS} j where ${every([...jobsWithin(scope, filter), COUNTED])} group by 1, 2) t
    left join ${COMPANIES} c on c.provider_id = ${scope.providerId} and c.id = t.company_id and c.deleted_at is null`;
}

function figure(name: string, requested: string): SQL {
  return sql`coalesce(sum(t.jobs) filter (where t.job_status = ${requested}), 0)::bigint as ${sql.identifier(name)}`;
}

/** Counts runs of the range and, to compare rates, of the equally long range before. */
export function overviewRunsQuery(scope: Scope, { days, filter }: OverviewQuery): SQL {
  const both = { ...days, firstDay: daysBefore(days).firstDay };
  const now = sql`d.day >= ${days.firstDay}::date`;
  const transferred = transferredOf(now);
  return sql`select ${rate('success', now)} as "successRate", ${rate('warning', now)} as "warningRate",
      ${rate('success', sql`not ${now}`)} as "successRateBefore",
      ${runs(sql`d.success`, now)} as "successRuns", ${runs(sql`d.warning`, now)} as "warningRuns", ${runs(COUNTED_RUNS, now)} as "countedRuns",
      ${transferred.bytes} as "transferredBytes", ${transferred.isPartial} as "isTransferredPartial"
    ${rollups(scope, both, filter)}`;
}

/** Runs that have not ended do not count. */
const COUNTED_RUNS = sql`d.success + d.warning + d.failed + d.didnt_run`;

function runs(counted: SQL, days: SQL): SQL {
  return sql`coalesce(sum(${counted}) filter (where ${days}), 0)::bigint`;
}

/** Returns the share of one result. */
function rate(result: 'success' | 'warning', days: SQL): SQL {
  return sql`sum(d.${sql.identifier(result)}) filter (where ${days})::float8
    / nullif(sum(${COUNTED_RUNS}) filter (where ${days}), 0)`;
}

/** Counts pending executions as the daily checks do. */
export function overviewPendingQuery(scope: Scope, { range, filter, now }: OverviewQuery): SQL {
  const pending: ExecutionFilter = { ...filter, state: 'pending', ignored: false, anomaly: true, latest: false };
  const query: ExecutionQuery = { ...range, filter: pending, limit: 1, offset: 0, now };
  return executionCountQuery(scope, query);
}

/** Reads the figures at the head of the dashboard, without removed jobs. */
export async function readOverview(connection: Connection, scope: Scope, query: OverviewQuery): Promise<OverviewStats> {
  const [jobs, runs, pending] = await Promise.all([
    row<JobFigures>(connection, overviewJobsQuery(scope, query)),
    row<RunFigures>(connection, overviewRunsQuery(scope, query)),
    readCount(connection, overviewPendingQuery(scope, query)),
  ]);
  if (jobs === null || runs === null) throw new Error('An aggregate without groups gave no row.');
  return { ...jobs, ...runs, pending };
}

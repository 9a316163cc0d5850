import type { JobFilter } from '@keepwatch/contract/executions/filters';
import type { CalendarRow, getSpreadsheetReport, getSpreadsheetStats } from '@keepwatch/contract/insights/calendar';
import { CELL_EMPTY, CELL_SHARED } from '@keepwatch/contract/runs/values';
import type { CallReply } from '@keepwatch/contract/wire/call';
import type { OrderOf, SortOf } from '@keepwatch/contract/wire/sorts';
import { type SQL, sql } from 'drizzle-orm';
import { COMPANIES } from '../directory/companies.ts';
import { jobsWithin } from '../executions/execution-filter.ts';
import { IS_ONE_JOB, JOB_NAME } from '../executions/shared-jobs.ts';
import { every, orderOf } from '../foundation/conditions.ts';
import { type Connection, row } from '../foundation/database.ts';
import { type Page, readPage } from '../foundation/page.ts';
import type { Scope } from '../foundation/scope.ts';
import { JOB_DAYS } from '../runs/day-rollups.ts';
import { JOBS } from '../runs/jobs.ts';
import type { Days } from '../runs/report-range.ts';
import { withinDays } from './counted-days.ts';

/** Maximum number of days in one calendar. */
export const CALENDAR_DAYS_MAX = 62;

export interface CalendarQuery {
  days: Days;
  /** When the first of them began. */
  begin: string;
  filter: JobFilter & { withTrouble: boolean };
  sort?: OrderOf<typeof getSpreadsheetReport> | undefined;
  limit: number;
  offset: number;
}

/** A row as read. Its days and those of its shared job are pairs of characters: day number (from `FIRST_DAY_CODE`) and letter. */
type PackedRow = Omit<CalendarRow, 'cells'> & { packed: string | null; shared: string | null };
const FIRST_DAY_CODE = 48;

/** Matches the condition of the index of days with trouble. */
const TROUBLE = sql`(d.failed > 0 or d.warning > 0 or d.didnt_run > 0 or d.anomalies > 0)`;

/** Companies with their place by name: jobs are many times more, and numbers are compared faster than names. */
function rankedCompanies(scope: Scope): SQL {
  return sql`select n.id, n.name, rank() over (order by lower(n.name)) as place from ${COMPANIES} n where ${scope.companies('n')} and n.deleted_at is null`;
}

/** Selects the page of jobs first, then reads its days: one index scan per job and month, as the index includes the letter. */
export function calendarQuery(scope: Scope, query: CalendarQuery): SQL {
  return sql`with page as materialized (
      select row_number() over () as place, p.* from (
        select j.job_instance_uid, ${JOB_NAME} as name, c.id as company_id, c.name as company_name, j.source_group, j.is_enabled, j.shared_by, j.shared_job
        from ${JOBS} j left join (${rankedCompanies(scope)}) c on c.id = j.company_id
        where ${every(calendarConditions(scope, query))}
        order by ${calendarOrder(query.sort)}, j.job_instance_uid limit ${query.limit} offset ${query.offset}) p)
    select p.job_instance_uid as "jobInstanceUid", p.name as "jobName", p.company_id as "companyId", p.company_name as "companyName",
      p.source_group as "sourceGroup", p.is_enabled as "isEnabled", p.shared_by as "sharedBy", p.shared_job as "sharedJob",
      (${packedDays(scope, query.days, sql`p.job_instance_uid`)}) as packed,
      case when p.shared_job is not null then (${packedDays(scope, query.days, sql`p.shared_job`)}) end as shared
    from page p order by p.place`;
}

function packedDays(scope: Scope, days: Days, jobInstanceUid: SQL): SQL {
  return sql`select string_agg(chr(${FIRST_DAY_CODE}::int + (d.day - ${days.firstDay}::date)) || d.letter, '')
    from ${JOB_DAYS} d where ${scope.rows('d')} and d.job_instance_uid = ${jobInstanceUid} and ${withinDays(days)}`;
}

type JobCounts = Pick<CallReply<typeof getSpreadsheetStats>['data'], 'jobs' | 'succeeded'>;

/** Counts the jobs of the range, without shared jobs, although these have a row, and of them those with a successful run. */
export async function countJobs(connection: Connection, scope: Scope, query: CalendarQuery): Promise<JobCounts> {
  const counts = await row<JobCounts>(connection, jobCountsQuery(scope, query));
  return counts ?? { jobs: 0, succeeded: 0 };
}

function jobCountsQuery(scope: Scope, query: CalendarQuery): SQL {
  return sql`select count(*) as jobs, count(*) filter (where exists (select from ${JOB_DAYS} d
      where ${scope.rows('d')} and d.job_instance_uid = j.job_instance_uid and ${withinDays(query.days)} and d.success > 0)) as succeeded
    from ${JOBS} j where ${every([...calendarConditions(scope, query), IS_ONE_JOB])}`;
}

export function calendarCountQuery(scope: Scope, query: CalendarQuery): SQL {
  return sql`select count(*) as count from ${JOBS} j where ${every(calendarConditions(scope, query))}`;
}

const SORTS: Readonly<Record<SortOf<typeof getSpreadsheetReport>, SQL>> = {
  companyName: sql`c.place`,
  jobName: sql`lower(j.name)`,
};

/** Sorts by company, then by job, unless requested otherwise. */
function calendarOrder(sort: CalendarQuery['sort'] = 'companyName'): SQL {
  const other = sort.endsWith('companyName') ? 'jobName' : 'companyName';
  return sql`${orderOf(SORTS, sort)}, ${orderOf(SORTS, other)}`;
}

/** Selects jobs that existed in the range, also those removed since. */
function calendarConditions(scope: Scope, { filter, days, begin }: CalendarQuery): SQL[] {
  const conditions = jobsWithin(scope, filter);
  conditions.push(sql`(j.removed_at is null or j.removed_at >= ${begin}::timestamptz)`);
  if (filter.withTrouble)
    conditions.push(sql`j.job_instance_uid in (select d.job_instance_uid from ${JOB_DAYS} d
      where ${scope.rows('d')} and ${withinDays(days)} and ${TROUBLE})`);
  return conditions;
}

/** Reads a page of the calendar: a letter per day for each job. */
export async function readCalendar(
  connection: Connection,
  scope: Scope,
  query: CalendarQuery,
): Promise<Page<CalendarRow>> {
  const page = await readPage<PackedRow>(connection, calendarQuery(scope, query), calendarCountQuery(scope, query));
  return { count: page.count, data: page.data.map((job) => unpacked(job, query.days.count)) };
}

/** Unpacks the letters. A day is not empty when a run of the shared job may belong to the job. */
function unpacked({ packed, shared, ...job }: PackedRow, days: number): CalendarRow {
  const cells = Array<string>(days).fill(CELL_EMPTY);
  for (const [day, letter] of daysIn(shared)) if (letter !== CELL_EMPTY) cells[day] = CELL_SHARED;
  for (const [day, letter] of daysIn(packed)) if (letter !== CELL_EMPTY) cells[day] = letter;
  return { ...job, cells: cells.join('') };
}

function* daysIn(packed: string | null): Iterable<[day: number, letter: string]> {
  for (let at = 0; packed !== null && at < packed.length; at += 2)
    yield [packed.charCodeAt(at) - FIRST_DAY_CODE, packed.charAt(at + 1)];
}

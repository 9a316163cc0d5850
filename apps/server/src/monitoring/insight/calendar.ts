import type { JobFilter } from '@keepwatch/contract/monitoring/filters';
import type { CalendarRow } from '@keepwatch/contract/monitoring/insight';
import { CELL_EMPTY } from '@keepwatch/contract/monitoring/values';
import { type SQL, sql } from 'drizzle-orm';
import { every, orderOf } from '../../foundation/conditions.ts';
import type { Connection } from '../../foundation/database.ts';
import { type Page, readPage } from '../../foundation/page.ts';
import type { Scope } from '../../foundation/scope.ts';
import { jobsWithin } from '../executions/execution-filter.ts';
import type { Days } from '../executions/report-range.ts';
import { withinDays } from './counted-days.ts';

/** Days that one calendar shows at most. */
export const CALENDAR_DAYS_MAX = 62;

export interface CalendarQuery {
  days: Days;
  filter: JobFilter & { withTrouble: boolean };
  sort?: string | undefined;
  limit: number;
  offset: number;
}

/** A row as read: its days as pairs of two characters, the number of the day (from `FIRST_DAY_CODE`) and its letter. */
type PackedRow = Omit<CalendarRow, 'cells'> & { packed: string | null };
const FIRST_DAY_CODE = 48;

/** As the index of days with trouble has it. */
const TROUBLE = sql`(d.failed > 0 or d.warning > 0 or d.didnt_run > 0 or d.anomalies > 0)`;

/** The page of jobs is chosen first, then its days are read, one descent of the key a job and month: each day's letter lies beside the key. */
export function calendarQuery(scope: Scope, query: CalendarQuery): SQL {
  return sql`with page as materialized (
      select row_number() over () as place, p.* from (
        select j.job_instance_uid, j.name, j.company_id, c.name as company_name, j.source_group, j.is_enabled
        from jobs j left join companies c on c.provider_id = j.provider_id and c.id = j.company_id
        where ${every(calendarConditions(scope, query))}
        order by ${calendarOrder(query.sort)}, j.job_instance_uid limit ${query.limit} offset ${query.offset}) p)
    select p.job_instance_uid as "jobInstanceUid", p.name as "jobName", p.company_id as "companyId", p.company_name as "companyName",
      p.source_group as "sourceGroup", p.is_enabled as "isEnabled", (
        select string_agg(chr(${FIRST_DAY_CODE}::int + (d.day - ${query.days.firstDay}::date)) || d.letter, '')
        from job_days d where ${scope.rows('d')} and d.job_instance_uid = p.job_instance_uid
          and ${withinDays(query.days)}) as packed
    from page p order by p.place`;
}

export function calendarCountQuery(scope: Scope, query: CalendarQuery): SQL {
  return sql`select count(*) as count from jobs j where ${every(calendarConditions(scope, query))}`;
}

const SORTS: Readonly<Record<string, SQL>> = { companyName: sql`lower(c.name)`, jobName: sql`lower(j.name)` };

/** By company, in it by job, unless asked otherwise. */
function calendarOrder(sort = 'companyName'): SQL {
  const other = sort.endsWith('companyName') ? 'jobName' : 'companyName';
  return sql`${orderOf(SORTS, sort)}, ${orderOf(SORTS, other)}`;
}

/** Jobs that were there in the range: also those removed since. */
function calendarConditions(scope: Scope, { filter, days }: CalendarQuery): SQL[] {
  const conditions = jobsWithin(scope, filter);
  conditions.push(sql`(j.removed_at is null or j.removed_at >= ${days.firstDay}::date)`);
  if (filter.withTrouble)
    conditions.push(sql`j.job_instance_uid in (select d.job_instance_uid from job_days d
      where ${scope.rows('d')} and ${withinDays(days)} and ${TROUBLE})`);
  return conditions;
}

/** A page of the calendar: a letter a day for each job. */
export async function readCalendar(
  connection: Connection,
  scope: Scope,
  query: CalendarQuery,
): Promise<Page<CalendarRow>> {
  const page = await readPage<PackedRow>(connection, calendarQuery(scope, query), calendarCountQuery(scope, query));
  return { count: page.count, data: page.data.map((job) => unpacked(job, query.days.count)) };
}

function unpacked({ packed, ...job }: PackedRow, days: number): CalendarRow {
  const cells = Array<string>(days).fill(CELL_EMPTY);
  for (let at = 0; packed !== null && at < packed.length; at += 2)
    cells[packed.charCodeAt(at) - FIRST_DAY_CODE] = packed.charAt(at + 1);
  return { ...job, cells: cells.join('') };
}

import * as z from 'zod/mini';
import { jobFilter, jobFilterGroup } from '../executions/filters.ts';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { day, flag, id, instantInQuery, range, text } from '../wire/fields.ts';
import { itemOf, listOf } from '../wire/replies.ts';
import { dayCounts, jobName, recounted } from './insights.ts';

/** A job's row in the calendar: one letter a day of the range (`CELL_LETTERS`). */
export const calendarRow = entity(
  'CalendarRow',
  z.object({
    ...jobName,
    isEnabled: z.boolean(),
    cells: z.string(),
    /** The row of the runs that may be of several jobs of one name; `null` on a row of one job. */
    sharedBy: z.nullable(z.int()),
    /** On the row of one of these jobs: the `jobInstanceUid` of that row, to which the days of `CELL_SHARED` lead. */
    sharedJob: z.nullable(id),
  }),
);
export type CalendarRow = z.infer<typeof calendarRow>;

export const getSpreadsheetReport = declareCall({
  method: 'GET',
  path: '/monitoring/reporting/jobs/spreadsheet-report',
  access: ['monitoring.spreadsheet-report', 'monitoring.calendar-report'],
  ...listOf(calendarRow, {
    sorts: ['jobName', 'companyName'],
    query: {
      ...range,
      filter: z._default(z.strictObject({ ...jobFilter, withTrouble: z._default(flag, false) }), {
        withTrouble: false,
      }),
    },
    also: { firstDay: day, ...recounted },
  }),
  failure: 'Error while trying to get the report, try again later.',
  summary: 'The calendar: jobs by days, at most 62 days. filter.withTrouble leaves out jobs whose every day was fine.',
});

export const getSpreadsheetStats = declareCall({
  method: 'GET',
  path: '/monitoring/reporting/jobs/spreadsheet-report/stats',
  access: ['monitoring.spreadsheet-report', 'monitoring.calendar-report'],
  query: z.strictObject({ ...range, filter: jobFilterGroup }),
  ...itemOf(
    z.object({
      jobs: z.int(),
      /** Of these jobs those with a successful run of their own in the range; the run of a shared job may be of another one. */
      succeeded: z.int(),
      days: z.array(dayCounts),
    }),
    recounted,
  ),
  failure: 'Error while trying to get the report, try again later.',
  summary: 'The totals above the calendar, and how many of its jobs succeeded.',
});

export const listJobNames = declareCall({
  method: 'GET',
  path: '/monitoring/reporting/jobs-name',
  access: ['monitoring.daily-checks', 'monitoring.calendar-report', 'monitoring.dashboard'],
  ...listOf(entity('JobName', z.object(jobName)), {
    query: {
      search: z.optional(text(200)),
      companyIds: jobFilter.companyIds,
      source: jobFilter.source,
      /** Exactly these, also those that their source no longer has. */
      ids: jobFilter.jobInstanceUids,
      /** Only jobs that are known since then. */
      knownFrom: z.optional(instantInQuery),
      /** Only jobs that belong to no company. */
      withoutCompany: z.optional(flag),
    },
  }),
  failure: 'Error while trying to get the jobs, try again later.',
  summary: 'Names of jobs, for filters and for what a figure counts.',
});

import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { day, flag, id, instant, page, range, sortBy, text } from '../wire/fields.ts';
import { jobFilter, jobFilterGroup } from './filters.ts';
import { DATA_SOURCE_GROUPS, RESULTS, SCHEDULE_TYPES } from './values.ts';

const ok = { success: z.literal(true) };

const jobName = {
  jobInstanceUid: id,
  jobName: z.string(),
  companyId: z.nullable(id),
  companyName: z.nullable(z.string()),
  sourceGroup: z.enum(DATA_SOURCE_GROUPS),
};

/** A job that should have run and did not, or that is disabled. */
export const silentJob = z.object({
  ...jobName,
  serverName: z.nullable(z.string()),
  scheduleType: z.nullable(z.enum(SCHEDULE_TYPES)),
  lastStartedAt: z.nullable(instant),
  lastResult: z.nullable(z.enum(RESULTS)),
  /** When it should have run. `null` for a disabled job. */
  expectedAt: z.nullable(instant),
  isIgnored: z.boolean(),
  ignoredUntil: z.nullable(instant),
});
export type SilentJob = z.infer<typeof silentJob>;

export const listDidntRun = declareCall({
  method: 'GET',
  path: '/monitoring/reporting/jobs/didnt-run',
  access: ['monitoring.overview', 'monitoring.dashboard'],
  query: z.strictObject({
    ...page,
    filter: z._default(
      z.strictObject({
        ...jobFilter,
        type: z._default(z.enum(['didnt-run', 'disabled']), 'didnt-run'),
        ignored: z._default(flag, false),
      }),
      { type: 'didnt-run', ignored: false },
    ),
    sort: sortBy('expectedAt', 'lastStartedAt', 'jobName', 'companyName'),
  }),
  reply: z.object({ ...ok, count: z.int(), data: z.array(silentJob) }),
  failure: 'Error while trying to get the jobs, try again later.',
  summary: 'Jobs that did not run when they should have, or (filter.type=disabled) that are disabled.',
});

const transferred = {
  /**
   * What the runs told that they transferred. `null`: not known, runs did their work and none told more than 0. A source that shows
   * its history as a heatmap tells no bytes of it.
   */
  transferredBytes: z.nullable(z.int()),
  /** Some of the runs did not tell theirs: there was at least as much. Left out or `false`: the sum is whole. */
  isTransferredPartial: z.optional(z.boolean()),
};

/** What happened on one UTC day. */
export const dayCounts = z.object({
  day,
  success: z.int(),
  warning: z.int(),
  failed: z.int(),
  running: z.int(),
  didntRun: z.int(),
  anomalies: z.int(),
  ...transferred,
});
export type DayCounts = z.infer<typeof dayCounts>;

export const getHistoryChart = declareCall({
  method: 'GET',
  path: '/monitoring/reporting/jobs/history-chart',
  access: ['monitoring.overview', 'monitoring.dashboard'],
  query: z.strictObject({ ...range, filter: jobFilterGroup }),
  reply: z.object({ ...ok, data: z.array(dayCounts) }),
  failure: 'Error while trying to get the job history, try again later.',
  summary: 'Executions by day and result; every day of the range is there.',
});

export const rankedJob = z.object({
  ...jobName,
  /** Failures, the longest duration in milliseconds, or transferred bytes, by the ranking asked. */
  value: z.int(),
  /** Of the ranking by transferred bytes those that told theirs. */
  runs: z.int(),
});
export type RankedJob = z.infer<typeof rankedJob>;

const ranking = {
  method: 'GET',
  access: ['monitoring.rankings', 'monitoring.dashboard'],
  query: z.strictObject({ ...range, filter: jobFilterGroup, limit: page.limit }),
  reply: z.object({ ...ok, data: z.array(rankedJob) }),
  failure: 'Error while trying to get the ranking, try again later.',
} as const;

export const rankFailures = declareCall({
  ...ranking,
  path: '/monitoring/reporting/jobs/ranking/failures',
  summary: 'The jobs that failed most often in the range.',
});
export const rankDuration = declareCall({
  ...ranking,
  path: '/monitoring/reporting/jobs/ranking/duration',
  summary: 'The jobs with the longest single run in the range.',
});
export const rankTransferred = declareCall({
  ...ranking,
  path: '/monitoring/reporting/jobs/ranking/transferred',
  summary: 'The jobs that transferred most in the range.',
});

export const overviewStats = z.object({
  companies: z.int(),
  jobs: z.int(),
  /** Jobs by their last result; `neverRan` beside them. */
  success: z.int(),
  warning: z.int(),
  failed: z.int(),
  running: z.int(),
  didntRun: z.int(),
  neverRan: z.int(),
  disabled: z.int(),
  /** Executions of the range that wait for a person. */
  pending: z.int(),
  backupSizeBytes: z.int(),
  /** Successful and warned runs of all ended or missed ones in the range, 0 to 1; `null` without any. */
  successRate: z.nullable(z.number()),
  /** The same for the range of equal length before. */
  successRateBefore: z.nullable(z.number()),
  ...transferred,
});
export type OverviewStats = z.infer<typeof overviewStats>;

export const getOverviewStats = declareCall({
  method: 'GET',
  path: '/monitoring/reporting/jobs/overview-stats',
  access: ['monitoring.overview', 'monitoring.dashboard'],
  query: z.strictObject({ ...range, filter: jobFilterGroup }),
  reply: z.object({ ...ok, data: overviewStats }),
  failure: 'Error while trying to get the stats, try again later.',
  summary: 'The figures at the head of the dashboard.',
});

/** A job's row in the calendar: one letter a day of the range (`CELL_LETTERS`). */
export const calendarRow = z.object({ ...jobName, isEnabled: z.boolean(), cells: z.string() });
export type CalendarRow = z.infer<typeof calendarRow>;

export const getSpreadsheetReport = declareCall({
  method: 'GET',
  path: '/monitoring/reporting/jobs/spreadsheet-report',
  access: ['monitoring.spreadsheet-report', 'monitoring.calendar-report'],
  query: z.strictObject({
    ...page,
    ...range,
    filter: z._default(z.strictObject({ ...jobFilter, withTrouble: z._default(flag, false) }), { withTrouble: false }),
    sort: sortBy('jobName', 'companyName'),
  }),
  reply: z.object({ ...ok, count: z.int(), firstDay: day, data: z.array(calendarRow) }),
  failure: 'Error while trying to get the report, try again later.',
  summary: 'The calendar: jobs by days, at most 62 days. filter.withTrouble leaves out jobs whose every day was fine.',
});

export const getSpreadsheetStats = declareCall({
  method: 'GET',
  path: '/monitoring/reporting/jobs/spreadsheet-report/stats',
  access: ['monitoring.spreadsheet-report', 'monitoring.calendar-report'],
  query: z.strictObject({ ...range, filter: jobFilterGroup }),
  reply: z.object({ ...ok, data: z.object({ jobs: z.int(), days: z.array(dayCounts) }) }),
  failure: 'Error while trying to get the report, try again later.',
  summary: 'The totals above the calendar.',
});

export const listJobNames = declareCall({
  method: 'GET',
  path: '/monitoring/reporting/jobs-name',
  access: ['monitoring.daily-checks', 'monitoring.calendar-report'],
  query: z.strictObject({
    ...page,
    search: z.optional(text(200)),
    companyIds: jobFilter.companyIds,
    jobInstanceUids: jobFilter.jobInstanceUids,
  }),
  reply: z.object({ ...ok, count: z.int(), data: z.array(z.object(jobName)) }),
  failure: 'Error while trying to get the jobs, try again later.',
  summary: 'Names of jobs, for filters.',
});

import * as z from 'zod/mini';
import { jobFilter, jobFilterGroup } from '../executions/filters.ts';
import { DATA_SOURCE_GROUPS, RESULTS, SCHEDULE_TYPES } from '../runs/values.ts';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { day, flag, id, instant, page, range } from '../wire/fields.ts';
import { itemOf, listOf } from '../wire/replies.ts';

/** What a report says of a job. */
export const jobName = {
  jobInstanceUid: id,
  /** Of the runs that may be of several jobs of one name: "Server Protection (one of 3 with this name)". */
  jobName: z.string(),
  companyId: z.nullable(id),
  companyName: z.nullable(z.string()),
  sourceGroup: z.enum(DATA_SOURCE_GROUPS),
};

/** A job that should have run and did not, that is disabled, or that has never run. */
export const inactiveJob = entity(
  'InactiveJob',
  z.object({
    ...jobName,
    serverName: z.nullable(z.string()),
    scheduleType: z.nullable(z.enum(SCHEDULE_TYPES)),
    lastStartedAt: z.nullable(instant),
    lastResult: z.nullable(z.enum(RESULTS)),
    /** When it should have run. `null` for a disabled job and for one that has never run. */
    expectedAt: z.nullable(instant),
    isIgnored: z.boolean(),
    ignoredUntil: z.nullable(instant),
  }),
);
export type InactiveJob = z.infer<typeof inactiveJob>;

export const listDidntRun = declareCall({
  method: 'GET',
  path: '/monitoring/reporting/jobs/didnt-run',
  access: ['monitoring.overview', 'monitoring.dashboard'],
  ...listOf(inactiveJob, {
    sorts: ['expectedAt', 'lastStartedAt', 'jobName', 'companyName'],
    query: {
      filter: z._default(
        z.strictObject({
          ...jobFilter,
          type: z._default(z.enum(['didnt-run', 'disabled', 'never-ran']), 'didnt-run'),
          ignored: z._default(flag, false),
        }),
        { type: 'didnt-run', ignored: false },
      ),
    },
  }),
  failure: 'Error while trying to get the jobs, try again later.',
  summary:
    'Jobs that did not run when they should have, (filter.type=disabled) that are disabled, or (never-ran) that have never run.',
});

const transferred = {
  /**
   * The bytes that the runs reported as transferred. `null`: not known, as runs succeeded but none reported more than 0.
   * A source that shows its history as a heatmap reports no bytes for it.
   */
  transferredBytes: z.nullable(z.int()),
  /** Some runs did not report theirs, so the sum is a minimum. Omitted or `false`: the sum is complete. */
  isTransferredPartial: z.optional(z.boolean()),
};

/** First day whose figures are by the provider's clock, where one before it is still being counted again; otherwise `null`. */
export const recounted = { recountedFrom: z.nullable(day) };

/** What happened on one backup day. */
export const dayCounts = entity(
  'DayCounts',
  z.object({
    day,
    success: z.int(),
    warning: z.int(),
    failed: z.int(),
    running: z.int(),
    didntRun: z.int(),
    anomalies: z.int(),
    ...transferred,
  }),
);
export type DayCounts = z.infer<typeof dayCounts>;

export const getHistoryChart = declareCall({
  method: 'GET',
  path: '/monitoring/reporting/jobs/history-chart',
  access: ['monitoring.overview', 'monitoring.dashboard'],
  query: z.strictObject({ ...range, filter: jobFilterGroup }),
  ...itemOf(z.array(dayCounts), recounted),
  failure: 'Error while trying to get the job history, try again later.',
  summary: 'Executions by day and result; every day of the range is there.',
});

export const rankedJob = entity(
  'RankedJob',
  z.object({
    ...jobName,
    /** Failures, the longest duration in milliseconds, or transferred bytes, by the ranking asked. */
    value: z.int(),
    /** Of the ranking by failures the runs that ended, of that by transferred bytes those that reported theirs. */
    runs: z.int(),
  }),
);
export type RankedJob = z.infer<typeof rankedJob>;

const ranking = {
  method: 'GET',
  access: ['monitoring.rankings', 'monitoring.dashboard'],
  query: z.strictObject({ ...range, filter: jobFilterGroup, limit: page.limit }),
  ...itemOf(z.array(rankedJob)),
  failure: 'Error while trying to get the ranking, try again later.',
} as const;

/** `rate`: the share of runs that failed, where few runs weigh less than many; `count`: how many failed. */
export const FAILURE_ORDERS = ['rate', 'count'] as const;
export type FailureOrder = (typeof FAILURE_ORDERS)[number];

export const rankFailures = declareCall({
  ...ranking,
  path: '/monitoring/reporting/jobs/ranking/failures',
  query: z.extend(ranking.query, { by: z._default(z.enum(FAILURE_ORDERS), 'rate') }),
  summary: 'The jobs that failed most in the range: by their share of failed runs, or (by=count) by how many failed.',
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

export const overviewStats = entity(
  'OverviewStats',
  z.object({
    companies: z.int(),
    jobs: z.int(),
    /** Those of `jobs` that belong to no company, so that companies and these add up. */
    jobsWithoutCompany: z.int(),
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
    /** Successful runs, without those that ended with a warning, of all ended or missed ones in the range, 0 to 1; `null` without any. */
    successRate: z.nullable(z.number()),
    /** Runs that ended with a warning, of the same. */
    warningRate: z.nullable(z.number()),
    /** The same for the range of equal length before. */
    successRateBefore: z.nullable(z.number()),
    /** What the rates are made of: runs that were successful, those with a warning, and all that ended or were missed. */
    successRuns: z.int(),
    warningRuns: z.int(),
    countedRuns: z.int(),
    ...transferred,
  }),
);
export type OverviewStats = z.infer<typeof overviewStats>;

export const getOverviewStats = declareCall({
  method: 'GET',
  path: '/monitoring/reporting/jobs/overview-stats',
  access: ['monitoring.overview', 'monitoring.dashboard'],
  query: z.strictObject({ ...range, filter: jobFilterGroup }),
  ...itemOf(overviewStats),
  failure: 'Error while trying to get the stats, try again later.',
  summary: 'The figures at the head of the dashboard.',
});

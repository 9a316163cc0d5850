import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { done, id, instant, instantInBody, instantInQuery, page, sortBy, text } from '../wire/fields.ts';
import { executionFilterGroup } from './filters.ts';
import { ANOMALIES, DATA_SOURCE_GROUPS, MATCHES, RESULTS, SCHEDULE_TYPES, STATES } from './values.ts';

/** One run of a job, or one expected run that did not happen. */
export const jobExecution = z.object({
  _id: id,
  jobInstanceUid: id,
  jobName: z.string(),
  jobType: z.nullable(z.string()),
  jobScheduleState: z.enum(['Enabled', 'Disabled']),
  companyId: z.nullable(id),
  companyName: z.nullable(z.string()),
  /** Kind of the connector it came through: `vac`, `intake`, … */
  source: z.string(),
  sourceGroup: z.enum(DATA_SOURCE_GROUPS),
  serverName: z.nullable(z.string()),
  result: z.enum(RESULTS),
  state: z.enum(STATES),
  startedAt: instant,
  endedAt: z.nullable(instant),
  durationMs: z.nullable(z.int()),
  transferredBytes: z.nullable(z.int()),
  processedBytes: z.nullable(z.int()),
  processedFiles: z.nullable(z.int()),
  sizeBytes: z.nullable(z.int()),
  /** Tries that collapsed into this run: 1 without retry. */
  attempts: z.int(),
  message: z.nullable(z.string()),
  anomalies: z.array(z.enum(ANOMALIES)),
  /** What is unusual, one phrase an anomaly: `took 8 m, usually 2 m (30 runs)`. */
  anomalyTexts: z.array(z.string()),
  match: z.enum(MATCHES),
  note: z.nullable(z.string()),
  ignoredUntil: z.nullable(instant),
});
export type JobExecution = z.infer<typeof jobExecution>;

/** One of the job's runs in the small picture: newest last. */
const pastRun = z.pick(jobExecution, {
  _id: true,
  startedAt: true,
  result: true,
  durationMs: true,
  transferredBytes: true,
  anomalies: true,
});
export type PastRun = z.infer<typeof pastRun>;

export const jobExecutionDetail = z.extend(jobExecution, {
  log: z.array(z.object({ at: z.nullable(instant), level: z.enum(['info', 'warning', 'error']), text: z.string() })),
  noteBy: z.nullable(z.string()),
  noteAt: z.nullable(instant),
  scheduleType: z.nullable(z.enum(SCHEDULE_TYPES)),
  nextRunAt: z.nullable(instant),
  targetName: z.nullable(z.string()),
  lastSuccessAt: z.nullable(instant),
  /** The job's last 30 runs, oldest first. */
  pastRuns: z.array(pastRun),
});
export type JobExecutionDetail = z.infer<typeof jobExecutionDetail>;

const listQuery = {
  from: z.optional(instantInQuery),
  to: z.optional(instantInQuery),
  filter: executionFilterGroup,
  sort: sortBy('startedAt', 'result', 'state', 'durationMs', 'transferredBytes', 'jobName', 'companyName'),
};

/** Counting stops here: a report of more says "100,000 or more" instead of making everybody wait. */
export const COUNT_MAX = 100_000;

export const listJobExecutions = declareCall({
  method: 'GET',
  path: '/monitoring/reporting/jobs',
  access: 'monitoring.daily-checks',
  query: z.strictObject({ ...page, ...listQuery }),
  reply: z.object({
    success: z.literal(true),
    /** At most `COUNT_MAX`; then there may be more. */
    count: z.int(),
    data: z.array(jobExecution),
    /** Without range (`null`): the latest runs, whenever they were. */
    query: z.object({ limit: z.int(), offset: z.int(), from: z.nullable(instant), to: z.nullable(instant) }),
  }),
  failure: 'Error while trying to get the jobs, try again later.',
  summary:
    'Executions of jobs: the daily checks. Without range: the last 2 days; with filter.latest: whenever they were.',
});

export const getJobExecution = declareCall({
  method: 'GET',
  path: '/monitoring/backoffice/jobExecutions/{id}',
  access: 'monitoring.daily-checks',
  params: z.strictObject({ id }),
  reply: z.object({ success: z.literal(true), data: jobExecutionDetail }),
  failure: 'Error while trying get the job execution, try again later.',
  summary: 'One execution with its log and the last 30 runs of its job.',
});

const change = z
  .strictObject({
    state: z.optional(z.enum(STATES)),
    /** An empty content removes the note. */
    note: z.optional(z.strictObject({ content: text(10_000) })),
    /** Only with state `ignored`: until when; without it for good. */
    ignoredUntil: z.optional(instantInBody),
  })
  .check(
    z.refine((value) => value.state !== undefined || value.note !== undefined, 'needs a state or a note'),
    z.refine(
      (value) => value.ignoredUntil === undefined || value.state === 'ignored',
      'ignoredUntil goes with state ignored',
    ),
  );
export type JobExecutionChange = z.infer<typeof change>;

export const editJobExecution = declareCall({
  method: 'PUT',
  path: '/monitoring/backoffice/jobExecutions/{id}',
  access: 'monitoring.job-actions',
  params: z.strictObject({ id }),
  body: change,
  reply: z.object({ success: z.literal(true), data: jobExecution }),
  failure: 'Error while trying to update the job execution, try again later.',
  summary: 'Changes the state or the note of an execution.',
});

export const editJobExecutions = declareCall({
  method: 'POST',
  path: '/monitoring/backoffice/jobExecutions/bulk',
  access: 'monitoring.job-actions',
  body: z.strictObject({ ids: z.array(id).check(z.minLength(1), z.maxLength(1_000)), change }),
  reply: z.object({
    success: z.literal(true),
    updated: z.int(),
    /** Ids that do not exist for the caller. */
    notFound: z.array(id),
    /** What each was before: sent back as changes, they undo this one. */
    before: z.array(
      z.object({ _id: id, state: z.enum(STATES), ignoredUntil: z.nullable(instant), note: z.nullable(z.string()) }),
    ),
  }),
  failure: 'Error while trying to perform the bulk action, try again later.',
  summary:
    'The same change for up to 1,000 executions. Ids that do not exist for the caller are named; the others are changed.',
});

export const exportJobExecutions = declareCall({
  method: 'POST',
  path: '/monitoring/reporting/export',
  access: 'monitoring.daily-checks',
  body: z.strictObject({ source: z.literal('JOBS'), format: z.literal('csv'), ...listQuery }),
  reply: 'csv',
  failure: 'Error while trying to export, try again later.',
  summary: 'The executions of the daily checks as CSV, streamed; file DailyChecks-{timestamp}.csv.',
});

const ignoreParams = z.strictObject({ jobInstanceUid: id });
const ignoreFailure = 'Error while trying to add the job to the ignore, try again later.';

export const ignoreDidntRun = declareCall({
  method: 'POST',
  path: '/monitoring/backoffice/jobs/didnt-run/{jobInstanceUid}/ignore',
  access: 'monitoring.job-actions',
  params: ignoreParams,
  body: z.strictObject({ ignoredUntil: z.optional(instantInBody) }),
  reply: done,
  failure: ignoreFailure,
  summary: 'Leaves a job out of "didn\'t run", until a date or for good.',
});

export const unignoreDidntRun = declareCall({
  method: 'DELETE',
  path: '/monitoring/backoffice/jobs/didnt-run/{jobInstanceUid}/ignore',
  access: 'monitoring.job-actions',
  params: ignoreParams,
  reply: done,
  failure: ignoreFailure,
  summary: 'Shows the job under "didn\'t run" again.',
});

export const ignoreDisabled = declareCall({
  method: 'POST',
  path: '/monitoring/backoffice/jobs/disabled/{jobInstanceUid}/ignore',
  access: 'monitoring.job-actions',
  params: ignoreParams,
  body: z.strictObject({ ignoredUntil: z.optional(instantInBody) }),
  reply: done,
  failure: ignoreFailure,
  summary: 'Leaves a job out of the disabled ones.',
});

export const unignoreDisabled = declareCall({
  method: 'DELETE',
  path: '/monitoring/backoffice/jobs/disabled/{jobInstanceUid}/ignore',
  access: 'monitoring.job-actions',
  params: ignoreParams,
  reply: done,
  failure: ignoreFailure,
  summary: 'Shows the job among the disabled ones again.',
});

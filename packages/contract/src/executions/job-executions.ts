import * as z from 'zod/mini';
import { CAUSE_REASONS } from '../faults/values.ts';
import { ANOMALIES, DATA_SOURCE_GROUPS, MATCHES, RESULTS, SCHEDULE_TYPES, STATES } from '../runs/values.ts';
import { declareCall, file, LIST_BODY_BYTES } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, instant, instantInBody, instantInQuery, nameText, sortBy } from '../wire/fields.ts';
import { itemOf, listOf } from '../wire/replies.ts';
import { executionFilterGroup } from './filters.ts';

/** One run of a job, or one expected run that did not happen. */
export const jobExecution = entity(
  'JobExecution',
  z.object({
    _id: id,
    jobInstanceUid: id,
    /** Of a run that may be of several jobs of one name: "Server Protection (one of 3 with this name)". */
    jobName: z.string(),
    /** How many jobs of this name the run may belong to; `null`: it is known which one. */
    sharedBy: z.nullable(z.int()),
    jobType: z.nullable(z.string()),
    jobScheduleState: z.enum(['Enabled', 'Disabled']),
    companyId: z.nullable(id),
    companyName: z.nullable(z.string()),
    /** Kind of the connector it came through: `vac`, `intake`, … */
    source: z.string(),
    /** Name of the tool that reports the job: `restic`. `null` for a job of a console, and for a tool that is not known. */
    tool: z.nullable(z.string()),
    sourceGroup: z.enum(DATA_SOURCE_GROUPS),
    serverName: z.nullable(z.string()),
    result: z.enum(RESULTS),
    state: z.enum(STATES),
    startedAt: instant,
    endedAt: z.nullable(instant),
    /** Of the whole run: where it took several attempts, from the start of the first to the end of the last. */
    durationMs: z.nullable(z.int()),
    transferredBytes: z.nullable(z.int()),
    processedBytes: z.nullable(z.int()),
    processedFiles: z.nullable(z.int()),
    sizeBytes: z.nullable(z.int()),
    /** Attempts that collapsed into this run: 1 without retry. */
    attempts: z.int(),
    message: z.nullable(z.string()),
    anomalies: z.array(z.enum(ANOMALIES)),
    /** What is unusual, one phrase an anomaly: `took 8 m, usually 2 m (30 runs)`. */
    anomalyTexts: z.array(z.string()),
    match: z.enum(MATCHES),
    /** The newest note of the thread. */
    note: z.nullable(z.string()),
    ignoredUntil: z.nullable(instant),
    /** Who gave it its state and when; `null` where the state follows the result. */
    changedBy: z.nullable(z.string()),
    changedAt: z.nullable(instant),
  }),
);
export type JobExecution = z.infer<typeof jobExecution>;

/** One of the job's runs in the small picture: newest last. */
const pastRun = entity(
  'PastRun',
  z.pick(jobExecution, {
    _id: true,
    startedAt: true,
    result: true,
    durationMs: true,
    transferredBytes: true,
    anomalies: true,
  }),
);
export type PastRun = z.infer<typeof pastRun>;

/** One entry of the thread below an execution. */
export const executionNote = entity(
  'ExecutionNote',
  z.object({
    _id: id,
    content: z.string(),
    by: z.string(),
    at: instant,
    /** The caller wrote it, and may remove it. */
    isOwn: z.boolean(),
  }),
);
export type ExecutionNote = z.infer<typeof executionNote>;

/** What solved another fault of the same cause: the note of the last one that was resolved with one. */
export const solvedBefore = entity(
  'SolvedBefore',
  z.object({
    why: z.enum(CAUSE_REASONS),
    /** Who wrote the note, and when. */
    by: z.string(),
    at: instant,
    note: z.string(),
    jobName: z.string(),
    companyName: z.nullable(z.string()),
  }),
);
export type SolvedBefore = z.infer<typeof solvedBefore>;

/** Notes that one execution can have. */
export const NOTES_MAX = 100;
/** A job that a run may belong to, with what distinguishes it from others of its name. */
const jobCandidate = entity(
  'JobCandidate',
  z.object({
    jobInstanceUid: id,
    jobName: z.string(),
    jobType: z.nullable(z.string()),
    serverName: z.nullable(z.string()),
    targetName: z.nullable(z.string()),
    lastStartedAt: z.nullable(instant),
    lastResult: z.nullable(z.enum(RESULTS)),
  }),
);
export type JobCandidate = z.infer<typeof jobCandidate>;

/** What the provider's administrators wrote for runs with such a message. */
const runHint = entity('RunHint', z.object({ _id: id, title: z.string(), text: z.string() }));
export type RunHint = z.infer<typeof runHint>;

export const jobExecutionDetail = entity(
  'JobExecutionDetail',
  z.extend(jobExecution, {
    log: z.array(z.object({ at: z.nullable(instant), level: z.enum(['info', 'warning', 'error']), text: z.string() })),
    anomalyTexts: z.array(z.string()),
    /** Oldest first. */
    notes: z.array(executionNote),
    /** How long its last attempt took. */
    lastAttemptMs: z.nullable(z.int()),
    scheduleType: z.nullable(z.enum(SCHEDULE_TYPES)),
    nextRunAt: z.nullable(instant),
    targetName: z.nullable(z.string()),
    lastSuccessAt: z.nullable(instant),
    /** The job's last 30 runs, oldest first. */
    pastRuns: z.array(pastRun),
    /** The jobs that the run may belong to; empty where it is known which one. */
    candidates: z.array(jobCandidate),
    /** At most three, the most specific first. */
    hints: z.array(runHint),
    /** Of a run that is not fine. */
    solved: z.nullable(solvedBefore),
  }),
);
export type JobExecutionDetail = z.infer<typeof jobExecutionDetail>;

const listQuery = {
  from: z.optional(instantInQuery),
  to: z.optional(instantInQuery),
  filter: executionFilterGroup,
};
const sorts = ['startedAt', 'result', 'state', 'durationMs', 'transferredBytes', 'jobName', 'companyName'] as const;

export const listJobExecutions = declareCall({
  method: 'GET',
  path: '/monitoring/reporting/jobs',
  access: 'monitoring.daily-checks',
  ...listOf(jobExecution, {
    sorts,
    query: listQuery,
    also: {
      /** Without range (`null`): the latest runs, whenever they were. */
      query: z.object({ limit: z.int(), offset: z.int(), from: z.nullable(instant), to: z.nullable(instant) }),
    },
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
  ...itemOf(jobExecutionDetail),
  failure: 'Error while trying get the job execution, try again later.',
  summary: 'One execution with its log and the last 30 runs of its job.',
});

interface Ignoring {
  state?: (typeof STATES)[number] | undefined;
  ignoredUntil?: string | undefined;
}

/** Of a change of runs or faults: only what is ignored has an end. */
export const untilOfIgnored = z.refine<Ignoring>(
  ({ state, ignoredUntil }) => ignoredUntil === undefined || state === 'ignored',
  'ignoredUntil goes with state ignored',
);

const change = z
  .strictObject({
    state: z.optional(z.enum(STATES)),
    /** Adds a note to the thread; those of others stay. */
    note: z.optional(z.strictObject({ content: nameText(10_000) })),
    /** Removes a note that the caller wrote. */
    removeNote: z.optional(id),
    /** Only with state `ignored`: until when; without it for good. */
    ignoredUntil: z.optional(instantInBody),
  })
  .check(
    z.refine(
      ({ state, note, removeNote }) => state !== undefined || note !== undefined || removeNote !== undefined,
      'needs a state or a note',
    ),
    z.refine(
      ({ note, removeNote }) => note === undefined || removeNote === undefined,
      'either adds a note or removes one',
    ),
    untilOfIgnored,
  );
export type JobExecutionChange = z.infer<typeof change>;

/** What runs were before a change. Sent back, it undoes that. */
export const earlierState = {
  state: z.enum(STATES),
  ignoredUntil: z.nullable(instant),
  /** Who had given them that state, and when; `null` where it followed the result. */
  changedById: z.nullable(id),
  changedAt: z.nullable(instant),
};

/** Runs of one job that a change made different: how many began from one instant to another. A fault may have tens of thousands. */
export const changedSpan = z.object({ jobInstanceUid: id, from: instant, to: instant, runs: z.int() });
export type ChangedSpan = z.infer<typeof changedSpan>;

/** Which change is undone: by the caller, at that time. Runs that were changed since stay as they are. */
const undoing = z.strictObject({
  madeAt: instantInBody,
  /** Who had changed the runs before, and when, as the reply to that change says. */
  changedById: z.nullable(id),
  changedAt: z.nullable(instantInBody),
  /** The change was one of faults: of a fault that was changed since, all runs stay as they are. */
  ofFaults: z.optional(z.boolean()),
});
export type Undoing = z.infer<typeof undoing>;

export const editJobExecution = declareCall({
  method: 'PUT',
  path: '/monitoring/backoffice/jobExecutions/{id}',
  access: 'monitoring.job-actions',
  audit: 'job-execution.edit',
  params: z.strictObject({ id }),
  body: change,
  ...itemOf(jobExecution),
  failure: 'Error while trying to update the job execution, try again later.',
  summary: 'Changes the state of an execution, adds a note to it or removes one.',
});

export const editJobExecutions = declareCall({
  method: 'POST',
  path: '/monitoring/backoffice/jobExecutions/bulk',
  access: 'monitoring.job-actions',
  audit: 'job-execution.edit-many',
  body: z
    .strictObject({
      ids: z.array(id).check(z.maxLength(1_000)),
      /** With no ids, of an undo: the runs of these jobs that the change made different. */
      spans: z.optional(
        z
          .array(z.strictObject({ jobInstanceUid: id, from: instantInBody, to: instantInBody }))
          .check(z.minLength(1), z.maxLength(1_000)),
      ),
      change,
      undoes: z.optional(undoing),
    })
    .check(
      z.refine(({ ids, spans }) => (ids.length === 0) === (spans !== undefined), 'needs either ids or spans'),
      z.refine(({ spans, undoes }) => spans === undefined || undoes !== undefined, 'spans go with undoes'),
      z.refine(
        ({ change: { state, note, removeNote }, undoes }) =>
          undoes === undefined || (state !== undefined && note === undefined && removeNote === undefined),
        'undoes goes with a state alone',
      ),
      z.refine(
        ({ undoes }) => undoes === undefined || (undoes.changedAt ?? undoes.madeAt) <= undoes.madeAt,
        'undoes a change that was made before the earlier one',
      ),
    ),
  bodyBytesMax: LIST_BODY_BYTES,
  reply: z.object({
    success: z.literal(true),
    updated: z.int(),
    /** Ids that do not exist for the caller, or lack the note to be removed. */
    notFound: z.array(id),
    /** Ids that an undo left as they are, because they were changed since; of spans they are those that are not updated. */
    changedSince: z.array(id),
    /** When this change was made: with it and with `before`, it can be undone. */
    madeAt: instant,
    /** Empty of spans. */
    before: z.array(z.object({ _id: id, ...earlierState })),
    /** The note that was added to all of them. */
    noteId: z.nullable(id),
  }),
  failure: 'Error while trying to perform the bulk action, try again later.',
  summary:
    'The same change for up to 1,000 executions, or the undo of one. Ids that do not exist for the caller are named; the others are changed.',
});

export const assignJobExecutions = declareCall({
  method: 'POST',
  path: '/monitoring/backoffice/jobExecutions/assign',
  access: 'monitoring.job-actions',
  audit: 'job-execution.assign',
  body: z.strictObject({ ids: z.array(id).check(z.minLength(1), z.maxLength(1_000)), jobInstanceUid: id }),
  ...itemOf(
    /** The assigned runs, each with the id that it has from now on: an id is made from job and start. */
    z.array(z.object({ _id: id, assignedId: id })),
    /** Ids that do not exist for the caller, or were assigned before. */
    { notFound: z.array(id) },
  ),
  failure: 'The runs could not be assigned, try again later.',
  summary:
    'Assigns up to 1,000 runs that may belong to several jobs of one name to one of these jobs: all of them or, where the job has a run of that start already (409), none.',
});

export const exportJobExecutions = declareCall({
  method: 'POST',
  path: '/monitoring/reporting/export',
  access: 'monitoring.daily-checks',
  audit: 'job-execution.export',
  body: z.strictObject({ source: z.literal('JOBS'), format: z.literal('csv'), ...listQuery, sort: sortBy(sorts) }),
  bodyBytesMax: LIST_BODY_BYTES,
  reply: file({ types: ['text/csv'] }),
  failure: 'Error while trying to export, try again later.',
  summary: 'The executions of the daily checks as CSV, streamed; file DailyChecks-{timestamp}.csv.',
});

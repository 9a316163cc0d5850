import * as z from 'zod/mini';
import { jobFilter } from '../executions/filters.ts';
import {
  changedSpan,
  earlierState,
  executionNote,
  solvedBefore,
  untilOfIgnored,
} from '../executions/job-executions.ts';
import { ANOMALIES, DATA_SOURCE_GROUPS, RESULTS, STATES } from '../runs/values.ts';
import { declareCall, LIST_BODY_BYTES } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { flag, id, instant, instantInBody, instantInQuery, nameText, oneOrMore, text } from '../wire/fields.ts';
import { itemOf, listOf } from '../wire/replies.ts';
import { CAUSE_REASONS, FAULT_KINDS, FAULT_STATES } from './values.ts';

/** Results of a job in its row: letters of a calendar cell, oldest first. */
export const LAST_RESULTS = 14;
/** Runs of a fault in its detail. */
export const FAULT_RUNS_MAX = 100;
/** Faults that one change reaches. */
export const CHANGED_FAULTS_MAX = 10_000;

const causeKey = text(64);

/** Why a fault is where it is, and how many others are there too. */
const faultCause = entity(
  'FaultCause',
  z.object({
    key: causeKey,
    why: z.enum(CAUSE_REASONS),
    /** What is at fault, by name; `null` where the faults have no more in common than their message. */
    subject: z.nullable(z.string()),
    /** Jobs and companies with an open fault of this cause that is pending or in progress. */
    jobs: z.int(),
    companies: z.int(),
  }),
);

/** An unbroken sequence of runs of one job that are not fine, up to the next one that is: Success without an anomaly. */
export const fault = entity(
  'Fault',
  z.object({
    /** The id of its first run. */
    _id: id,
    jobInstanceUid: id,
    jobName: z.string(),
    /** As of a run: how many jobs of this name it may belong to. */
    sharedBy: z.nullable(z.int()),
    jobType: z.nullable(z.string()),
    companyId: z.nullable(id),
    companyName: z.nullable(z.string()),
    source: z.string(),
    sourceGroup: z.enum(DATA_SOURCE_GROUPS),
    serverName: z.nullable(z.string()),
    /** How its last run ended. */
    kind: z.enum(FAULT_KINDS),
    state: z.enum(FAULT_STATES),
    runs: z.int(),
    openedAt: instant,
    lastStartedAt: instant,
    lastExecutionId: id,
    /** The start of the run that ended it; `null` while it is open. */
    closedAt: z.nullable(instant),
    /** The last run before it that was fine. */
    fineAt: z.nullable(instant),
    /** Whole days since then while it is open; `null` where there never was one. */
    daysWithoutFine: z.nullable(z.int()),
    /** Of its last run, as the anomalies are. */
    message: z.nullable(z.string()),
    anomalies: z.array(z.enum(ANOMALIES)),
    anomalyTexts: z.array(z.string()),
    /** The job's last results, oldest first: `SSSFFsDW`. A small `s` is a success with an anomaly. */
    lastResults: z.string(),
    /** The newest note of its last run. */
    note: z.nullable(z.string()),
    ignoredUntil: z.nullable(instant),
    /** Who gave it its state: of one in progress, who is on it. */
    changedBy: z.nullable(z.string()),
    changedAt: z.nullable(instant),
    cause: faultCause,
  }),
);
export type Fault = z.infer<typeof fault>;

const faultFilter = {
  ...jobFilter,
  kind: z.optional(oneOrMore(z.enum(FAULT_KINDS))),
  /** Without: what is in the queue, which is pending, in progress or healed. */
  state: z.optional(oneOrMore(z.enum(FAULT_STATES))),
  cause: z.optional(causeKey),
  /** Only faults that began since then. */
  openedFrom: z.optional(instantInQuery),
  /** Only faults whose last run began until then: those that a person saw in a list, without what came since. */
  lastStartedUntil: z.optional(instantInQuery),
  /** Only faults that a run that is fine ended since then, whenever their last run was. */
  closedFrom: z.optional(instantInQuery),
  /** Only faults of runs that may belong to several jobs of one name. */
  unassigned: z.optional(flag),
};
const faultFilterGroup = z._default(z.strictObject(faultFilter), {});
export type FaultFilter = z.infer<typeof faultFilterGroup>;

const listQuery = {
  /** By the start of the last run, or by when it healed. Without: open faults whenever that was, others of the last 2 days. */
  from: z.optional(instantInQuery),
  to: z.optional(instantInQuery),
  filter: faultFilterGroup,
};

/** `fineAt`: by how long no run of a job was fine, healed faults last. Without: the order of the queue. */
const sorts = ['fineAt'] as const;

export const listFaults = declareCall({
  method: 'GET',
  path: '/monitoring/reporting/faults',
  access: 'monitoring.daily-checks',
  ...listOf(fault, { sorts, query: listQuery }),
  failure: 'The faults could not be read, try again later.',
  summary:
    'Faults in the order in which they are worked on: failed, missed, doubtful, with a warning, then healed ones; the last to run first.',
});

/** Faults with one cause, as one line. */
export const cause = entity(
  'Cause',
  z.object({
    key: causeKey,
    why: z.enum(CAUSE_REASONS),
    /** What is at fault; of several faults with one message the words that all of them have. */
    subject: z.nullable(z.string()),
    /** The worst of its faults; `null` where all of them are healed. */
    kind: z.nullable(z.enum(FAULT_KINDS)),
    faults: z.int(),
    healed: z.int(),
    inProgress: z.int(),
    jobs: z.int(),
    companies: z.int(),
    runs: z.int(),
    openedAt: instant,
    lastStartedAt: instant,
    /** The most of its open faults. */
    daysWithoutFine: z.nullable(z.int()),
    /** Its newest fault: where it is the only one, the cause is shown as that. */
    fault,
  }),
);
export type Cause = z.infer<typeof cause>;

export const listCauses = declareCall({
  method: 'GET',
  path: '/monitoring/reporting/causes',
  access: 'monitoring.daily-checks',
  ...listOf(cause, { sorts, query: listQuery }),
  failure: 'The causes could not be read, try again later.',
  summary: 'The causes of the same faults, one line each: the worst first, then those with the most faults.',
});

const faultRun = entity(
  'FaultRun',
  z.object({
    _id: id,
    startedAt: instant,
    result: z.enum(RESULTS),
    state: z.enum(STATES),
    message: z.nullable(z.string()),
    anomalies: z.array(z.enum(ANOMALIES)),
  }),
);
export type FaultRun = z.infer<typeof faultRun>;

export const getFault = declareCall({
  method: 'GET',
  path: '/monitoring/backoffice/faults/{id}',
  access: 'monitoring.daily-checks',
  params: z.strictObject({ id }),
  ...itemOf(
    entity(
      'FaultDetail',
      z.extend(fault, {
        /** Its runs, newest first, at most 100. */
        lastRuns: z.array(faultRun),
        /** The notes of its runs, oldest first. */
        notes: z.array(executionNote),
        /** `null` where its cause is no more than a job or an anomaly, or none such was resolved with a note. */
        solved: z.nullable(solvedBefore),
      }),
    ),
  ),
  failure: 'The fault could not be read, try again later.',
  summary: 'One fault with its runs and notes.',
});

const change = z
  .strictObject({
    state: z.optional(z.enum(STATES)),
    /** Only with state `ignored`: until when; without it until a run of the job is not fine again. */
    ignoredUntil: z.optional(instantInBody),
    /** Added to the last run of each fault. */
    note: z.optional(z.strictObject({ content: nameText(10_000) })),
  })
  .check(
    z.refine(({ state, note }) => state !== undefined || note !== undefined, 'needs a state or a note'),
    untilOfIgnored,
  );
export type FaultChange = z.infer<typeof change>;

export const editFaults = declareCall({
  method: 'POST',
  path: '/monitoring/backoffice/faults/bulk',
  access: 'monitoring.job-actions',
  audit: 'fault.edit-many',
  body: z
    .strictObject({
      ids: z.optional(z.array(id).check(z.minLength(1), z.maxLength(1_000))),
      /** Instead of ids: all faults of a cause, or all in some states, within these filters. */
      of: z.optional(
        z
          .strictObject({
            cause: z.optional(causeKey),
            from: z.optional(instantInBody),
            to: z.optional(instantInBody),
            filter: faultFilterGroup,
            /** Leaves out what other users have open or in progress. */
            withoutOthers: z.optional(z.boolean()),
          })
          .check(
            z.refine(
              ({ cause, filter }) => (cause ?? filter.cause ?? filter.state) !== undefined,
              'needs a cause or a state',
            ),
          ),
      ),
      change,
    })
    .check(z.refine(({ ids, of }) => (ids === undefined) !== (of === undefined), 'needs either ids or filters')),
  bodyBytesMax: LIST_BODY_BYTES,
  reply: z.object({
    success: z.literal(true),
    /** Faults that are different now; those that were so already are not counted again. */
    changed: z.int(),
    unchanged: z.int(),
    unchangedIds: z.array(id),
    /** Faults that `withoutOthers` left out, by who has them. */
    ofOthers: z.array(z.object({ username: z.string(), faults: z.int() })),
    /** Ids that do not exist for the caller. */
    notFound: z.array(id),
    /** When this change was made, and what the changed runs were before, those that were alike together: sent as undos of runs, they undo it. */
    madeAt: instant,
    before: z.array(z.object({ ids: z.array(id), spans: z.array(changedSpan), ...earlierState })),
    /** The note that was added, and the runs that it was added to. */
    noteId: z.nullable(id),
    notedIds: z.array(id),
  }),
  failure: 'The faults could not be changed, try again later.',
  summary:
    'The same change for faults, by their ids, their cause or their state: their runs that are not resolved get the state, their last run the note.',
});

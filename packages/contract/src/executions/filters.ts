import * as z from 'zod/mini';
import { DATA_SOURCE_GROUPS, RESULTS, STATES } from '../runs/values.ts';
import { flag, id, oneOrMore, text } from '../wire/fields.ts';

/** Which jobs a report is about; nothing given means all that the caller may see. */
export const jobFilter = {
  companyIds: z.optional(oneOrMore(id)),
  source: z.optional(oneOrMore(z.enum(DATA_SOURCE_GROUPS))),
  jobInstanceUids: z.optional(oneOrMore(id)),
  managed: z.optional(flag),
  search: z.optional(text(200)),
};

/** Which of their executions. */
export const executionFilter = {
  ...jobFilter,
  type: z.optional(oneOrMore(z.enum(RESULTS))),
  /** Runs with an anomaly; with `type` these besides. */
  doubtful: z.optional(flag),
  state: z.optional(z.enum([...STATES, 'all'])),
  /** Also those that are ignored. */
  ignored: z._default(flag, false),
  /** Also successes with an anomaly. */
  anomaly: z._default(flag, true),
  /**
   * Only the run that gives each job its current status, as the overview counts jobs by last result: the last run of every
   * existing, enabled job, or the newest missed run of an overdue one.
   */
  latest: z._default(flag, false),
  /** Only runs that may belong to several jobs of one name, and are not assigned to one of them. */
  unassigned: z.optional(flag),
};

export const jobFilterGroup = z._default(z.strictObject(jobFilter), {});
export const executionFilterGroup = z._default(z.strictObject(executionFilter), {
  ignored: false,
  anomaly: true,
  latest: false,
});
export type JobFilter = z.infer<typeof jobFilterGroup>;
export type ExecutionFilter = z.infer<typeof executionFilterGroup>;

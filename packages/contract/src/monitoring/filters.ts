import * as z from 'zod/mini';
import { flag, id, listOf, text } from '../wire/fields.ts';
import { DATA_SOURCE_GROUPS, RESULTS, STATES } from './values.ts';

/** Which jobs a report is about; nothing given means all that the caller may see. */
export const jobFilter = {
  companyIds: z.optional(listOf(id)),
  source: z.optional(listOf(z.enum(DATA_SOURCE_GROUPS))),
  jobInstanceUids: z.optional(listOf(id)),
  managed: z.optional(flag),
  search: z.optional(text(200)),
};

/** Which of their executions. */
export const executionFilter = {
  ...jobFilter,
  type: z.optional(listOf(z.enum(RESULTS))),
  state: z.optional(z.enum([...STATES, 'all'])),
  /** Also those that are ignored. */
  ignored: z._default(flag, false),
  /** Also successes with an anomaly. */
  anomaly: z._default(flag, true),
  /**
   * Only the run by which each job stands now, as the overview counts jobs by last result: the last one of every job that is there
   * and enabled, of an overdue one its newest missed run.
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

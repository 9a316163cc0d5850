import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { itemOf } from '../wire/replies.ts';

/** Counting ends here: what is more is shown as `99+`. */
export const ATTENTION_MAX = 100;

/** What waits for the user, up to `ATTENTION_MAX` of each; left out is what the user may not see. */
export const attention = entity(
  'Attention',
  z.object({
    /** Pending runs of the last two backup days, as the daily checks list them. */
    checks: z.optional(z.int()),
    /** Faults that are open: pending or in progress. */
    faults: z.optional(z.int()),
    /** Runs that fit no job. */
    unassigned: z.optional(z.int()),
    /** Microsoft 365 jobs whose last run failed. */
    failedJobs: z.optional(z.int()),
    /** Downloads of the user that can be fetched. */
    downloads: z.optional(z.int()),
  }),
);
export type Attention = z.infer<typeof attention>;

export const getAttention = declareCall({
  method: 'GET',
  path: '/attention',
  access: 'signed-in',
  after: 'second-factor',
  ...itemOf(attention),
  failure: 'What needs attention could not be counted, try again later.',
  summary: 'Counts beside the entries of the sidebar: what waits for the signed-in user.',
});

import * as z from 'zod/mini';
import { instant } from '../wire/fields.ts';

/** When something was last proved restorable, how that ended, and how much was restored. */
export const proofSummary = z.object({
  /** Of several jobs: when the first of them ended, so that all were proved since. */
  endTime: instant,
  status: z.enum(['Success', 'Warning', 'Failed']),
  items: z.int(),
  bytes: z.int(),
});
export type ProofSummary = z.infer<typeof proofSummary>;

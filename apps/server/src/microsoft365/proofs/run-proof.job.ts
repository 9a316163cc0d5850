import * as z from 'zod/mini';
import { declareJob } from '../../foundation/jobs.ts';

/** Restores a sample of a job to memory. One whose worker died is done again, with another sample. */
export const runProofJob = declareJob({
  name: 'microsoft365.run-proof',
  payload: z.object({ providerId: z.number(), proofId: z.string() }),
  retry: { times: 20, firstPauseSeconds: 5, longestPauseSeconds: 60 },
  concurrency: 2,
  timeLimitSeconds: 2 * 60 * 60,
  key: ({ proofId }) => proofId,
});

import * as z from 'zod/mini';
import { declareJob } from '../../foundation/jobs.ts';

/** Verifies or prunes a repository. One whose worker died is done again: what a prune has deleted by then stays deleted. */
export const runMaintenanceJob = declareJob({
  name: 'microsoft365.run-maintenance',
  payload: z.object({ providerId: z.number(), runId: z.string() }),
  retry: { times: 20, firstPauseSeconds: 5, longestPauseSeconds: 60 },
  concurrency: 2,
  timeLimitSeconds: 24 * 60 * 60 - 120,
  key: ({ runId }) => runId,
});

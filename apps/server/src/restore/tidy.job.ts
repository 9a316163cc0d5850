import * as z from 'zod/mini';
import { declareJob } from '../foundation/jobs.ts';

/** Removes what is over, and ends what is lost. */
export const tidyJob = declareJob({
  name: 'restore.tidy',
  payload: z.object({}),
  cron: '17 * * * *',
  concurrency: 1,
  timeLimitSeconds: 280,
});

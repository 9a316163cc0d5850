import * as z from 'zod/mini';
import { declareJob, type JobWork, work } from '../foundation/jobs.ts';
import { endExpiredIgnores } from './expired-ignores.ts';

const endIgnoresJob = declareJob({
  name: 'executions.end-ignores',
  payload: z.object({}),
  cron: '* * * * *',
  concurrency: 1,
  timeLimitSeconds: 55,
});

export const executionJobs: JobWork[] = [
  work(endIgnoresJob, async ({ database, now }) => {
    await endExpiredIgnores(database, now());
  }),
];

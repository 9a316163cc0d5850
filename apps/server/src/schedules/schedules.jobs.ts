import * as z from 'zod/mini';
import { declareJob, type JobWork, work } from '../foundation/jobs.ts';
import { findMissedRuns } from './missed-runs.ts';
import { findStalledReporters } from './stalled-jobs.ts';

const findMissedRunsJob = declareJob({
  name: 'schedules.find-missed-runs',
  payload: z.object({}),
  cron: '* * * * *',
  concurrency: 1,
  timeLimitSeconds: 280,
});

export const scheduleJobs: JobWork[] = [
  work(findMissedRunsJob, async ({ database, now }) => {
    await findMissedRuns(database, now());
    await findStalledReporters(database, now());
  }),
];

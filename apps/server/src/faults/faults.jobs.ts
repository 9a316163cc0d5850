import * as z from 'zod/mini';
import { declareJob, type JobWork, work } from '../foundation/jobs.ts';
import { buildFaults } from './build-faults.ts';

/** After an upgrade from a version without faults; then it finds nothing to do. */
const buildFaultsJob = declareJob({
  name: 'faults.build',
  payload: z.object({}),
  cron: '*/5 * * * *',
  atStart: true,
  concurrency: 1,
  timeLimitSeconds: 3_600,
});

export const faultJobs: JobWork[] = [
  work(buildFaultsJob, async ({ database }, _payload, signal) => {
    await buildFaults(database, signal);
  }),
];

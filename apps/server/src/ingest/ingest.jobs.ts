import * as z from 'zod/mini';
import { providersToRecount } from '../backup-days/stored-clocks.ts';
import { declareJob, type JobWork, work } from '../foundation/jobs.ts';
import { recountEarlierDays } from './recount-days.ts';

/** Counts days again after a change of the clock. Its schedule goes on with what a process that ended has left. */
export const recountDaysJob = declareJob({
  name: 'ingest.recount-days',
  payload: z.object({}),
  cron: '*/5 * * * *',
  concurrency: 1,
  timeLimitSeconds: 240,
});

export const ingestJobs: JobWork[] = [
  work(recountDaysJob, async ({ database }, _payload, signal) => {
    for (const providerId of await providersToRecount(database))
      while (!signal.aborted && (await recountEarlierDays(database, providerId)));
  }),
];

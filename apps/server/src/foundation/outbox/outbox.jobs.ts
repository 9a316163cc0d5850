import * as z from 'zod/mini';
import { declareJob, type JobWork, work } from '../jobs.ts';
import { removeOldEvents } from './outbox.ts';

const removeOldEventsJob = declareJob({
  name: 'outbox.remove-old-events',
  payload: z.object({}),
  cron: '23 3 * * *',
  concurrency: 1,
  timeLimitSeconds: 280,
});

export const outboxJobs: JobWork[] = [
  work(removeOldEventsJob, ({ database, now }) => removeOldEvents(database, now())),
];

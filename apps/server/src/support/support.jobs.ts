import * as z from 'zod/mini';
import type { MailServices } from '../connections/send-mail.ts';
import { declareJob, type JobWork, work } from '../foundation/jobs.ts';
import { sendSupportMail, sendSupportMailJob } from './send-support-mail.ts';
import { removeOldRequests } from './support-requests.ts';

const removeOldRequestsJob = declareJob({
  name: 'support.remove-old-requests',
  payload: z.object({}),
  cron: '41 3 * * *',
  concurrency: 1,
  timeLimitSeconds: 60,
});

export const supportJobs: JobWork<MailServices>[] = [
  work(sendSupportMailJob, sendSupportMail),
  work(removeOldRequestsJob, ({ database, now }: MailServices) => removeOldRequests(database, now())),
];

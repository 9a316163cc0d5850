import type { MailServices } from '../connections/send-mail.ts';
import { type JobWork, work } from '../foundation/jobs.ts';
import { sendAccountMail, sendAccountMailJob } from './send-account-mail.ts';

export const directoryJobs: JobWork<MailServices>[] = [work(sendAccountMailJob, sendAccountMail)];

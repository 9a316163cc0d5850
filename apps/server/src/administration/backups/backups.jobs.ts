import * as z from 'zod/mini';
import { transaction } from '../../foundation/database.ts';
import { declareJob, type JobWork, work } from '../../foundation/jobs.ts';
import type { Queue } from '../../foundation/queue.ts';
import { claimDueBackup } from './backup-plan.ts';
import { type PortalBackupServices, takePortalBackup, takePortalBackupJob } from './take-portal-backup.ts';

const beginDueBackupJob = declareJob({
  name: 'administration.begin-due-backup',
  payload: z.object({}),
  cron: '* * * * *',
  concurrency: 1,
  timeLimitSeconds: 50,
});

type Services = PortalBackupServices & { queue: Queue };

/** Sends the backup of the schedule once its time has come. */
export async function beginDueBackup({ database, queue, now, isEmbedded }: Services): Promise<void> {
  if (!isEmbedded) return;
  await transaction(database, async (connection) => {
    if (await claimDueBackup(connection, now())) await queue.send(connection, takePortalBackupJob, {});
  });
}

export const administrationJobs: JobWork<Services>[] = [
  work(takePortalBackupJob, (services: Services) => takePortalBackup(services)),
  work(beginDueBackupJob, (services: Services) => beginDueBackup(services)),
];

import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { transaction } from '../../foundation/database.ts';
import { declareJob, type JobWork, work } from '../../foundation/jobs.ts';
import { endBackup } from './backup-alarms.ts';
import { listBackupFiles } from './backup-files.ts';
import { claimDueBackup, failureOf, isKilled, readPlan } from './backup-plan.ts';
import { type PortalBackupServices, takePortalBackup, takePortalBackupJob } from './take-portal-backup.ts';

const beginDueBackupJob = declareJob({
  name: 'administration.begin-due-backup',
  payload: z.object({}),
  cron: '* * * * *',
  concurrency: 1,
  timeLimitSeconds: 50,
});

/** Sends the backup of the schedule once its time has come, and says of one that was killed that it failed: nothing else would. */
export async function beginDueBackup({
  database,
  queue,
  now,
  dataDir,
  isEmbedded,
}: PortalBackupServices): Promise<void> {
  if (!isEmbedded) return;
  await transaction(database, async (connection) => {
    const plan = await readPlan(connection, sql`for update`);
    if (isKilled(plan, now())) {
      const failure = failureOf(plan, await listBackupFiles(dataDir), now());
      await endBackup(queue, connection, failure?.message ?? null, now());
    }
    if (await claimDueBackup(connection, now())) await queue.send(connection, takePortalBackupJob, {});
  });
}

export const administrationJobs: JobWork<PortalBackupServices>[] = [
  work(takePortalBackupJob, (services: PortalBackupServices) => takePortalBackup(services)),
  work(beginDueBackupJob, (services: PortalBackupServices) => beginDueBackup(services)),
];

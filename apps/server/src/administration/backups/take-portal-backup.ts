import { join } from 'node:path';
import { takeBackup } from '@keepwatch/embedded-database/backup/take-backup';
import { sql } from 'drizzle-orm';
import * as z from 'zod/mini';
import { VERSION } from '../../branding/brands.ts';
import { type Pool, row, transaction } from '../../foundation/database.ts';
import { reasonOf } from '../../foundation/errors.ts';
import { declareJob } from '../../foundation/jobs.ts';
import type { Log } from '../../foundation/log.ts';
import type { Queue } from '../../foundation/queue.ts';
import { keyList, type SecretBox } from '../../foundation/secrets.ts';
import { endBackup } from './backup-alarms.ts';
import { backupNameAt, ensureBackupsFolder, removeOldBackups, removeUnfinished } from './backup-files.ts';
import { markBegun, markProgress, readPlan } from './backup-plan.ts';

const HOURS_MAX = 6;
const PROGRESS_MS = 1_000;
/** What a cluster has besides the database: templates, settings, some of its log of changes. */
const BESIDES_BYTES = 64 * 1024 ** 2;

/** Backs up the portal's own database into its folder. */
export const takePortalBackupJob = declareJob({
  name: 'administration.take-portal-backup',
  payload: z.object({}),
  key: () => 'portal-backup',
  concurrency: 1,
  timeLimitSeconds: HOURS_MAX * 3_600,
});

export interface PortalBackupServices {
  database: Pool;
  queue: Queue;
  now(): Date;
  log: Log;
  dataDir: string;
  secrets: SecretBox;
  /** Whether the database is in the data folder, and not a server of `DATABASE_URL`. */
  isEmbedded: boolean;
}

/** Does what the job says. A failure is what the screen shows, and an alarm of the staff; the next backup of the schedule tries again. */
export async function takePortalBackup(services: PortalBackupServices): Promise<void> {
  const { database, queue, now, log, dataDir, isEmbedded } = services;
  if (!isEmbedded) return;
  const end = (failure: string | null) =>
    transaction(database, (connection) => endBackup(queue, connection, failure, now()));
  try {
    await markBegun(database, await estimatedBytes(database), now());
    await removeUnfinished(dataDir);
    await writeBackup(services);
    await removeOldBackups(dataDir, (await readPlan(database)).keep);
    await end(null);
  } catch (error) {
    log.error({ err: error }, 'the backup of the database failed');
    await end(reasonOf(error));
  }
}

async function writeBackup({ database, now, log, dataDir, secrets }: PortalBackupServices): Promise<void> {
  const file = join(await ensureBackupsFolder(dataDir), backupNameAt(now()));
  let bytes = 0;
  let reporting = Promise.resolve();
  const report = () => {
    reporting = markProgress(database, bytes, now()).catch((error) =>
      log.warn({ err: error }, 'progress is not shown'),
    );
  };
  const timer = setInterval(report, PROGRESS_MS);
  try {
    await takeBackup({
      ...{ dataDir, file, program: VERSION, keys: keyList(secrets.keys()) },
      log: (line) => log.debug({}, line),
      onProgress: (done) => {
        bytes = done;
      },
    });
  } finally {
    clearInterval(timer);
    await reporting;
  }
}

async function estimatedBytes(database: Pool): Promise<number> {
  const found = await row<{ bytes: number }>(database, sql`select pg_database_size(current_database()) as bytes`);
  return (found?.bytes ?? 0) + BESIDES_BYTES;
}

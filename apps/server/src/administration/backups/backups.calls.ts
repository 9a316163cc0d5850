import { createReadStream } from 'node:fs';
import {
  deletePortalBackup,
  editBackupPlan,
  fetchPortalBackup,
  listPortalBackups,
  preparePortalRestore,
  startPortalBackup,
} from '@keepwatch/contract/administration/backups';
import { sql } from 'drizzle-orm';
import { change } from '../../audit/change.ts';
import { notFound, Refusal } from '../../foundation/errors.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { requireInstallation } from '../require-installation.ts';
import { backupsFolder, findBackupFile, listBackupFiles, removeBackupFile } from './backup-files.ts';
import { failureOf, isRunning, markBegun, readPlan, runningOf, setPlan } from './backup-plan.ts';
import { prepareRestore } from './prepare-restore.ts';
import { takePortalBackupJob } from './take-portal-backup.ts';

export interface BackupParts {
  dataDir: string;
  isEmbedded: boolean;
}

/** The calls with which those who run the installation back up its database. */
export function backupCalls({ dataDir, isEmbedded }: BackupParts): Route[] {
  const requireEmbedded = () => {
    if (!isEmbedded)
      throw new Refusal(
        409,
        'NOT_SUPPORTED',
        'The database is a server of its own (DATABASE_URL): back it up and restore it with its own tools.',
      );
  };
  const found = async (name: string) => {
    const backup = await findBackupFile(dataDir, name);
    if (backup === null) throw notFound('backup');
    return backup;
  };
  return [
    answer(listPortalBackups, async (context) => {
      requireInstallation(context);
      const [plan, backups] = await Promise.all([readPlan(context.database), listBackupFiles(dataDir)]);
      const { isOn, at, keep } = plan;
      return {
        data: {
          isAvailable: isEmbedded,
          folder: backupsFolder(dataDir),
          running: runningOf(plan, context.now()),
          failure: failureOf(plan, backups, context.now()),
          plan: { isOn, at, keep },
          backups,
        },
      };
    }),

    answer(startPortalBackup, async (context) => {
      requireInstallation(context);
      requireEmbedded();
      await change(context, null, async (connection) => {
        const plan = await readPlan(connection, sql`for update`);
        if (isRunning(plan, context.now()))
          throw new Refusal(409, 'CONFLICT', 'A backup is being made already. Wait until it is in the list.');
        // It waits for a worker; from now on it counts as running.
        await markBegun(connection, 0, context.now());
        await context.queue.send(connection, takePortalBackupJob, {});
        return { result: null };
      });
      return {};
    }),

    answer(editBackupPlan, async (context, { body }) => {
      requireInstallation(context);
      requireEmbedded();
      await change(context, null, async (connection) => {
        const { isOn, at, keep } = await readPlan(connection, sql`for update`);
        await setPlan(connection, body, context.now());
        return { result: null, before: { isOn, at, keep }, after: body };
      });
      return {};
    }),

    answer(fetchPortalBackup, async (context, { params }) => {
      requireInstallation(context);
      const { name, file, sizeBytes, checksum } = await found(params.name);
      await change(context, null, async () => ({ result: null, after: { name } }));
      return {
        ...{ name, length: sizeBytes, etag: checksum },
        open: (range) => createReadStream(file, range === null ? {} : { start: range.start, end: range.end }),
      };
    }),

    answer(deletePortalBackup, async (context, { params }) => {
      requireInstallation(context);
      const { name, createdAt } = await found(params.name);
      await change(context, null, async () => {
        await removeBackupFile(dataDir, name);
        return { result: null, before: { name, createdAt } };
      });
      return {};
    }),

    answer(preparePortalRestore, async (context, { params }) => {
      requireInstallation(context);
      requireEmbedded();
      const { name, file } = await found(params.name);
      const commands = await context.outside(() => prepareRestore(file, dataDir));
      await change(context, null, async () => ({ result: null, after: { name } }));
      return { data: { commands } };
    }),
  ];
}

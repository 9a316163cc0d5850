import { findCluster } from '../cluster-location.ts';
import { SUPERUSER } from '../create-cluster.ts';
import { readPassword } from '../database-password.ts';
import { startEmbeddedDatabase } from '../embedded-database.ts';
import { EmbeddedDatabaseError } from '../embedded-database-error.ts';
import { FolderInUse } from '../folder-lock.ts';
import { databaseUrl } from '../keepwatch-database.ts';
import { findPostgresBinaries } from '../postgres-binaries.ts';
import { readPostmasterFile } from '../postmaster.ts';
import { writeBackupFile } from './backup-file.ts';
import { withBaseBackup } from './base-backup.ts';

export type BackupRequest = {
  dataDir: string;
  file: string;
  /** Version of the program, for the restore. */
  program: string;
  /** The key of the stored secrets, when it is to be in the file. */
  secret?: string;
  /** The key before it, when it is to be in the file, too. */
  previousSecret?: string;
  /** The ids of both. */
  keys?: readonly string[];
  log: (line: string) => void;
  /** Called with how many bytes of the database were read so far, before they are compressed. */
  onProgress?: (bytes: number) => void;
};

/**
 * Writes the whole database of a data folder into one file, whether the program runs or not. Returns the size of the file.
 * @throws EmbeddedDatabaseError with one line for the person
 */
export async function takeBackup(request: BackupRequest): Promise<number> {
  const { dataDir, file, program, secret, previousSecret, keys, log, onProgress } = request;
  if ((await findCluster(dataDir)) === undefined)
    throw new EmbeddedDatabaseError(
      `There is no database in ${dataDir}. Set DATA_DIR to the data folder of the program.`,
    );
  const header = {
    format: 1,
    program,
    postgres: findPostgresBinaries().major,
    createdAt: new Date().toISOString(),
    ...(secret === undefined ? {} : { secret }),
    ...(previousSecret === undefined ? {} : { previousSecret }),
    ...(keys === undefined ? {} : { keys }),
  } as const;
  let bytes = 0;
  await withSuperuser(dataDir, log, (url) =>
    withBaseBackup(url, async (archive) => {
      bytes = await writeBackupFile(file, header, archive, onProgress);
    }),
  );
  return bytes;
}

/** Of the running database; of one that is started for this alone when the program does not run. */
async function withSuperuser(
  dataDir: string,
  log: (line: string) => void,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const started = await startEmbeddedDatabase({ dataDir, log }).catch((error: unknown) => {
    if (error instanceof FolderInUse) return undefined;
    throw error;
  });
  try {
    await work(started?.superuserUrl ?? (await urlOfRunning(dataDir)));
  } finally {
    await started?.stop();
  }
}

async function urlOfRunning(dataDir: string): Promise<string> {
  const file = await readPostmasterFile((await findCluster(dataDir)) ?? dataDir);
  if (file?.status !== 'ready')
    throw new EmbeddedDatabaseError(
      `The database in ${dataDir} is just being started or stopped. Try again in a moment.`,
    );
  return databaseUrl({ user: SUPERUSER, password: await readPassword(dataDir), port: file.port });
}

import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { PortalBackup } from '@keepwatch/contract/administration/backups';
import { describeBackupFile } from '@keepwatch/embedded-database/backup/backup-file';
import { EmbeddedDatabaseError } from '@keepwatch/embedded-database/embedded-database-error';

const NAME = /^keepwatch-\d{8}T\d{6}Z\.backup$/;
const UNFINISHED = /^keepwatch-\d{8}T\d{6}Z\.backup\.unfinished$/;

/** Where the backups are. The folder is what counts: the database that they replace cannot know them. */
export function backupsFolder(dataDir: string): string {
  return join(dataDir, 'backups');
}

/** Makes the folder if it is not there, for its owner alone. */
export async function ensureBackupsFolder(dataDir: string): Promise<string> {
  const folder = backupsFolder(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** `keepwatch-20260131T083000Z.backup`. */
export function backupNameAt(now: Date): string {
  return `keepwatch-${now.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z.backup`;
}

/** The names of the backups, the newest first; none where there is no folder. */
async function namesOf(dataDir: string): Promise<string[]> {
  const found = await readdir(backupsFolder(dataDir)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return found.filter((name) => NAME.test(name)).toSorted((one, other) => other.localeCompare(one));
}

/** The backups, the newest first, with what their files say of themselves. A file that is none is left out. */
export async function listBackupFiles(dataDir: string): Promise<PortalBackup[]> {
  const found = await Promise.all((await namesOf(dataDir)).map((name) => describe(dataDir, name)));
  return found.filter((backup) => backup !== null);
}

/** One backup, with its file; `null` if it is not there. */
export async function findBackupFile(dataDir: string, name: string): Promise<(PortalBackup & { file: string }) | null> {
  const backup = await describe(dataDir, name);
  return backup === null ? null : { ...backup, file: join(backupsFolder(dataDir), name) };
}

async function describe(dataDir: string, name: string): Promise<PortalBackup | null> {
  if (!NAME.test(name)) return null;
  try {
    const { header, bytes, checksum } = await describeBackupFile(join(backupsFolder(dataDir), name));
    // Written by hand, it may say anything.
    if (Number.isNaN(Date.parse(header.createdAt))) return null;
    const { createdAt, program, keys = [] } = header;
    return { name, createdAt, sizeBytes: bytes, checksum, program, keys: [...keys] };
  } catch (error) {
    if (error instanceof EmbeddedDatabaseError) return null;
    throw error;
  }
}

export async function removeBackupFile(dataDir: string, name: string): Promise<void> {
  if (NAME.test(name)) await rm(join(backupsFolder(dataDir), name), { force: true });
}

/** Deletes the oldest backups beyond so many. */
export async function removeOldBackups(dataDir: string, keep: number): Promise<void> {
  for (const name of (await namesOf(dataDir)).slice(keep)) await removeBackupFile(dataDir, name);
}

/** Deletes what a process left that was killed while it made a backup. */
export async function removeUnfinished(dataDir: string): Promise<void> {
  const folder = await ensureBackupsFolder(dataDir);
  for (const name of await readdir(folder)) if (UNFINISHED.test(name)) await rm(join(folder, name), { force: true });
}

import { mkdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { chooseClusterParent, giveTree, linkCluster } from '../cluster-location.ts';
import { buildCluster, setSuperuserPassword } from '../create-cluster.ts';
import { makePassword } from '../database-password.ts';
import { EmbeddedDatabaseError } from '../embedded-database-error.ts';
import { lockFolder } from '../folder-lock.ts';
import { runNativeProgram } from '../native-program.ts';
import { findPostgresBinaries, reachableBinaries } from '../postgres-binaries.ts';
import { type Account, chooseAccount } from '../unprivileged-account.ts';
import { type VerifiedBackup, verifyBackupFile } from './backup-file.ts';
import { type BackupHeader, checkVersions } from './backup-header.ts';
import { unpackArchive } from './unpack-archive.ts';

export type RestoreRequest = {
  file: string;
  dataDir: string;
  /** Version of the program that restores. */
  program: string;
  /** Moves a database that is there aside, instead of refusing. */
  replace: boolean;
  log: (line: string) => void;
};

/** Where what was replaced is now; undefined when nothing was. */
export type Restored = { header: BackupHeader; replaced: string | undefined };

/**
 * Makes the database of a data folder from a backup. The folder gets it whole or not at all.
 * @throws EmbeddedDatabaseError with one line for the person
 */
export async function restoreBackup(request: RestoreRequest): Promise<Restored> {
  const { file, dataDir, program } = request;
  const backup = await verifyBackupFile(file);
  checkVersions(backup.header, file, { program, postgres: findPostgresBinaries().major });
  const unlock = lockFolder(dataDir, new Date(performance.timeOrigin));
  try {
    const inTheWay = await findInTheWay(dataDir, backup.header);
    if (inTheWay.length > 0 && !request.replace) throw new EmbeddedDatabaseError(refusal(dataDir, inTheWay));
    const replaced = await moveAside(dataDir, inTheWay);
    try {
      await restoreCluster(backup, request);
      await writeSecrets(dataDir, backup.header);
    } catch (error) {
      await moveBack(dataDir, replaced, inTheWay);
      throw error;
    }
    return { header: backup.header, replaced };
  } finally {
    unlock();
  }
}

/** The keys that the backup brings along. */
async function writeSecrets(dataDir: string, { secret, previousSecret }: BackupHeader): Promise<void> {
  const options = { mode: 0o600, flush: true };
  if (secret !== undefined) await writeFile(join(dataDir, 'secret'), secret, options);
  if (previousSecret !== undefined) await writeFile(join(dataDir, 'secret.previous'), previousSecret, options);
}

/** A key alone is not in the way, unless the backup brings another one: it may have been put there for the restore. */
async function findInTheWay(dataDir: string, { secret, previousSecret }: BackupHeader): Promise<string[]> {
  const found: string[] = [];
  for (const name of ['postgres', 'database-password'])
    if ((await stat(join(dataDir, name)).catch(() => undefined)) !== undefined) found.push(name);
  for (const [name, brought] of [
    ['secret', secret],
    ['secret.previous', previousSecret],
  ] as const) {
    const present = await readFile(join(dataDir, name), 'utf8').catch(() => undefined);
    if (brought !== undefined && present !== undefined && present.trim() !== brought) found.push(name);
  }
  return found;
}

function refusal(dataDir: string, names: string[]): string {
  return (
    `${dataDir} is not empty (${names.join(', ')}). Set DATA_DIR to an empty folder, ` +
    'or restore with --replace, which moves what is there aside.'
  );
}

async function moveAside(dataDir: string, names: string[]): Promise<string | undefined> {
  if (names.length === 0) return undefined;
  const place = join(dataDir, `replaced-${new Date().toISOString().replaceAll(':', '-')}`);
  await mkdir(place, { mode: 0o711 });
  for (const name of names) await rename(join(dataDir, name), join(place, name));
  return place;
}

/** After a restore that failed: the next start would make a new, empty database where there is none. */
async function moveBack(dataDir: string, place: string | undefined, names: string[]): Promise<void> {
  await rm(join(dataDir, 'postgres'), { recursive: true, force: true });
  await rm(join(dataDir, 'database-password'), { force: true });
  if (place === undefined) return;
  for (const name of names) await rename(join(place, name), join(dataDir, name));
  await rmdir(place);
}

async function restoreCluster(backup: VerifiedBackup, { dataDir, log }: RestoreRequest): Promise<void> {
  const account = await chooseAccount(undefined);
  const binaries = await reachableBinaries(findPostgresBinaries(), account, log);
  const password = await makePassword(dataDir);
  const parent = await chooseClusterParent(dataDir, account);
  const cluster = await buildCluster(parent, account, async (unfinished) => {
    await mkdir(unfinished, { mode: 0o700 });
    await unpackArchive(backup.openArchive(), unfinished);
    if (account !== undefined) await giveTree(unfinished, account);
    await setSuperuserPassword(unfinished, password, { binaries, account });
    await syncToDisk(binaries.initdb, unfinished, account);
  });
  await linkCluster(dataDir, cluster);
}

/** What initdb does at the end of its own work: without it a power failure now could damage what was restored. */
async function syncToDisk(initdb: string, cluster: string, account: Account | undefined): Promise<void> {
  const { exitCode, output } = await runNativeProgram(initdb, ['--sync-only', `--pgdata=${cluster}`], account);
  if (exitCode !== 0) throw new EmbeddedDatabaseError(`Cannot write ${cluster} to the disk: ${output.trim()}`);
}

import { createHash } from 'node:crypto';
import { chown, lchown, lstat, mkdir, mkdtemp, readdir, realpath, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedDatabaseError, explainSystemError, systemErrorCode } from './embedded-database-error.ts';
import { runNativeProgram } from './native-program.ts';
import { SHARED_FOLDER } from './postgres-binaries.ts';
import type { Account } from './unprivileged-account.ts';

/**
 * The folder of the cluster that belongs to `dataDir`, or undefined when there is none yet. `<dataDir>/postgres` is
 * the cluster itself or a link to it; the answer is the real path either way.
 */
export async function findCluster(dataDir: string): Promise<string | undefined> {
  const place = join(dataDir, 'postgres');
  try {
    return await realpath(place);
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw explainSystemError(error, 'read', place);
  }
  if (!(await isLink(place))) return undefined;
  throw new EmbeddedDatabaseError(
    `The database folder that ${place} points to is gone. Bring it back, or remove ${place} to begin with an empty one.`,
  );
}

/** Refuses, with a clear line, a cluster that `account` cannot enter; repairs one that root has copied or unpacked. */
export async function checkCluster(cluster: string, account: Account | undefined): Promise<void> {
  if (account === undefined) return checkOwnership(cluster);
  if ((await stat(cluster)).uid !== account.uid) await giveTree(cluster, account);
  if (await canEnter(cluster, account)) return;
  throw new EmbeddedDatabaseError(
    `The account "${account.name}", under which PostgreSQL runs, cannot reach the database in ${cluster}. ` +
      'Let it pass through the folders above (chmod o+x), or move the data folder and set DATA_DIR.',
  );
}

/**
 * The folder in which a new cluster is to be made, open to `account`: the data folder itself, or, where the account
 * cannot reach that (a clone under /root), a fresh folder under /var/lib/keepwatch.
 */
export async function chooseClusterParent(dataDir: string, account: Account | undefined): Promise<string> {
  const folder = await realpath(dataDir);
  if (account === undefined || (await canEnter(folder, account))) return folder;
  const prefix = join(SHARED_FOLDER, createHash('sha256').update(folder).digest('hex').slice(0, 12));
  try {
    await mkdir(SHARED_FOLDER, { recursive: true, mode: 0o755 });
    const parent = await mkdtemp(`${prefix}-`);
    await chown(parent, account.uid, account.gid);
    return parent;
  } catch (error) {
    throw explainSystemError(error, 'make a folder in', SHARED_FOLDER);
  }
}

/** Makes `<dataDir>/postgres` lead to `cluster`, unless it is the cluster. */
export async function linkCluster(dataDir: string, cluster: string): Promise<void> {
  const place = join(await realpath(dataDir), 'postgres');
  if (place !== cluster) await symlink(cluster, place);
}

async function isLink(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined);
  return found?.isSymbolicLink() ?? false;
}

async function checkOwnership(cluster: string): Promise<void> {
  const { uid } = await stat(cluster);
  if (process.getuid === undefined || uid === process.getuid()) return;
  throw new EmbeddedDatabaseError(
    `The database in ${cluster} belongs to another account (uid ${uid}). ` +
      'Start the program as that account or as root, or set DATA_DIR to another folder.',
  );
}

/** A real try by the account itself: permissions, access lists and mount options all count. */
async function canEnter(folder: string, account: Account): Promise<boolean> {
  const { exitCode } = await runNativeProgram('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], account);
  return exitCode === 0;
}

/** Gives a folder with all in it to an account. */
export async function giveTree(folder: string, account: Account): Promise<void> {
  await chown(folder, account.uid, account.gid);
  for (const entry of await readdir(folder, { recursive: true })) {
    await lchown(join(folder, entry), account.uid, account.gid);
  }
}

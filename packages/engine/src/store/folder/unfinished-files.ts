import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isCode } from './folder-errors.ts';

/** Where files are while they are written. No object can have this name. One place, so that tidying up need not walk the store. */
export const UNFINISHED_FOLDER = '.unfinished';
/** No write of a single object takes so long: its writer is gone. */
const LEFT_MS = 24 * 3_600_000;

export function unfinishedPath(root: string): string {
  return join(root, UNFINISHED_FOLDER, randomUUID());
}

/** Removes what writers that were killed have left. What others remove meanwhile, and a store that may only be read, are no errors. */
export async function removeUnfinished(root: string, now = Date.now()): Promise<void> {
  const folder = join(root, UNFINISHED_FOLDER);
  try {
    for (const name of await readdir(folder)) {
      const path = join(folder, name);
      if (await isOlder(path, now - LEFT_MS)) await rm(path, { force: true });
    }
  } catch (error) {
    if (!isCode(error, 'ENOENT', 'EACCES', 'EPERM', 'EROFS')) throw error;
  }
}

async function isOlder(path: string, instant: number): Promise<boolean> {
  try {
    return (await stat(path)).mtimeMs < instant;
  } catch (error) {
    if (isCode(error, 'ENOENT')) return false;
    throw error;
  }
}

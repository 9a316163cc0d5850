import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Whether the open files can be listed: only Linux lists them, in /proc. */
export const canListOpenFiles = process.platform === 'linux';
if (!canListOpenFiles) console.log('skipped: which files are open is read from /proc, which only Linux has');

/** How many files of a folder this process has open. */
export async function openFilesIn(folder: string): Promise<number> {
  const open = await readdir('/proc/self/fd');
  const paths = await Promise.all(open.map((name) => readlink(join('/proc/self/fd', name)).catch(() => '')));
  return paths.filter((path) => path.startsWith(folder)).length;
}

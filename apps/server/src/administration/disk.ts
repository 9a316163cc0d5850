import { statfs } from 'node:fs/promises';

/** How large the disk of a folder is, and how much of it is free; `null` where there is no such folder. */
export async function diskOf(folder: string): Promise<{ freeBytes: number; totalBytes: number } | null> {
  const disk = await statfs(folder).catch(() => null);
  return disk === null ? null : { freeBytes: disk.bavail * disk.bsize, totalBytes: disk.blocks * disk.bsize };
}

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { DownloadFormat } from './download-order.ts';

/** Where the file of a download is. Its name for people is in the row: none of them is a path. */
export function fileOf(folder: string, id: string, format: string): string {
  return join(folder, `${id}.${format}`);
}

/** The folder, made readable for this user alone. */
export async function ensureFolder(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Size and SHA-256 of a file. */
export async function fingerprintOf(path: string, signal: AbortSignal): Promise<{ sizeBytes: number; sha256: string }> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash, { signal });
  return { sizeBytes: (await stat(path)).size, sha256: hash.digest('hex') };
}

/** Removes a file, and what a writer that died left of it. */
export async function removeFile(folder: string, id: string, format: DownloadFormat | string): Promise<void> {
  await rm(fileOf(folder, id, format), { force: true });
}

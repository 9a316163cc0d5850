import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tooShort } from '../too-short.ts';

/** Writes a new file and waits until its bytes are on the disk. */
export async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Waits until the entries of a folder are on the disk. Windows cannot open folders, and writes their entries through by itself. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/**
 * Exactly `length` bytes of a file.
 * @param name of the object, for the error
 * @throws `damaged` when the file is shorter; ENOENT when its name is gone, though an open file could still be read
 */
export async function readExactly(file: FileHandle, start: number, length: number, name: string): Promise<Buffer> {
  const { size, nlink } = await file.stat();
  if (nlink === 0) throw Object.assign(new Error(`${name} was deleted.`), { code: 'ENOENT' });
  // Asked first, so that a wrong length never takes memory that the object could not fill.
  if (size < start + length) throw tooShort(name, size, start, length);
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, start + filled);
    if (bytesRead === 0) throw tooShort(name, start + filled, start, length);
    filled += bytesRead;
  }
  return bytes;
}

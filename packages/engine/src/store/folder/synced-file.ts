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

/** Waits until the entries of a folder are on the disk. Windows cannot open folders, and writes their entries through automatically. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** A part of an object's file. */
export interface FileRange {
  /** The object's, for errors. */
  name: string;
  sizeBytes: number;
  start: number;
  length: number;
}

/** Exactly the bytes of a range. @throws `damaged` when the file is shorter */
export async function readExactly(file: FileHandle, { name, sizeBytes, start, length }: FileRange): Promise<Buffer> {
  // Looked at first, so that a wrong length never takes memory that the object could not fill.
  if (sizeBytes < start + length) throw tooShort(name, sizeBytes, start, length);
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, start + filled);
    if (bytesRead === 0) throw tooShort(name, start + filled, start, length);
    filled += bytesRead;
  }
  return bytes;
}

import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Writes a file that has its name only when all of it is on the disk; one of that name is replaced. */
export async function writeWhole(bytes: AsyncIterable<Uint8Array>, path: string, signal: AbortSignal): Promise<void> {
  // A name of its own: a file that an attempt before left behind, or that another export writes just now, is not in the way.
  const unfinished = `${path}.${randomBytes(6).toString('hex')}.unfinished`;
  // A stream within a stream could not be ended while it waits for its first bytes.
  const from = bytes instanceof Readable ? bytes : Readable.from(bytes, { objectMode: false });
  try {
    await pipeline(from, createWriteStream(unfinished, { flags: 'wx', mode: 0o600, flush: true }), { signal });
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

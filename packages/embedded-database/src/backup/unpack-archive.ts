import { type FileHandle, mkdir, open, symlink } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import type { Readable } from 'node:stream';
import { EmbeddedDatabaseError } from '../embedded-database-error.ts';
import { type ArchiveEntry, BLOCK_BYTES, parseEntry } from './archive-entry.ts';

/** Unpacks a tar archive into a folder that is there. Nothing is written outside of it. */
export async function unpackArchive(archive: Readable, folder: string): Promise<void> {
  const bytes = new ByteReader(archive);
  for (;;) {
    const entry = parseEntry(await bytes.exactly(BLOCK_BYTES));
    if (entry === undefined) break;
    await unpackEntry(entry, placeOf(entry, folder), bytes);
    await bytes.exactly((BLOCK_BYTES - (entry.bytes % BLOCK_BYTES)) % BLOCK_BYTES);
  }
  for await (const _ of archive); // the blocks of zeros that end it
}

async function unpackEntry(entry: ArchiveEntry, place: string, bytes: ByteReader): Promise<void> {
  if (entry.kind === 'folder') return void (await mkdir(place, { recursive: true, mode: 0o700 }));
  await mkdir(dirname(place), { recursive: true, mode: 0o700 });
  if (entry.kind === 'link') return symlink(entry.target, place);
  const file = await open(place, 'wx', 0o600);
  try {
    await copyBytes(bytes, entry.bytes, file);
  } finally {
    await file.close();
  }
}

async function copyBytes(bytes: ByteReader, count: number, file: FileHandle): Promise<void> {
  for (let left = count; left > 0; ) {
    const part = await bytes.upTo(left);
    await file.writeFile(part);
    left -= part.length;
  }
}

function placeOf({ name }: ArchiveEntry, folder: string): string {
  const place = normalize(join(folder, name));
  if (place !== folder && !place.startsWith(`${folder}/`))
    throw new EmbeddedDatabaseError(`"${name}" is no name in a backup.`);
  return place;
}

/** Reads a stream in the portions that are asked for. */
class ByteReader {
  readonly #parts: AsyncIterator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(stream: Readable) {
    this.#parts = stream.iterator({ destroyOnReturn: false });
  }

  /** At least one byte, at most `count`. */
  async upTo(count: number): Promise<Buffer> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#parts.next();
      if (done === true) throw new EmbeddedDatabaseError('The archive in the backup ends too early.');
      this.#rest = value;
    }
    const part = this.#rest.subarray(0, count);
    this.#rest = this.#rest.subarray(part.length);
    return part;
  }

  async exactly(count: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let left = count; left > 0; ) {
      const part = await this.upTo(left);
      parts.push(part);
      left -= part.length;
    }
    return Buffer.concat(parts);
  }
}

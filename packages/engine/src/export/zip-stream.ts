import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { EngineError } from '../model/engine-error.ts';
import {
  BLOCK_BYTES,
  BLOCK_HEAD_BYTES,
  centralHeader,
  descriptor,
  directoryBytes,
  endBytes,
  endRecords,
  entryBytes,
  localHeader,
  type WrittenEntry,
  type ZipEntry,
} from './zip-format.ts';

/** Adds up how long a ZIP will be, and what is in it. */
export class ZipLength {
  entries = 0;
  private readonly hash = createHash('sha256');
  private offset = 0;
  private directory = 0;

  add(entry: ZipEntry & { version?: string }): void {
    const { name, modifiedAt, sizeBytes, version = '' } = entry;
    this.hash.update(`${JSON.stringify([name, modifiedAt, sizeBytes, version])}\n`);
    this.entries += 1;
    this.directory += directoryBytes(entry, this.offset);
    this.offset += entryBytes(entry);
  }

  /** Of all that was added: the same for the same entries in the same order, and for no others. */
  get digest(): string {
    return this.hash.copy().digest('base64url');
  }

  /** Of all that was added. */
  get sizeBytes(): number {
    return this.offset + this.directory + endBytes(this.entries, this.offset, this.directory);
  }
}

/** An entry with its bytes, exactly as many as it announces. */
export interface StreamedEntry extends ZipEntry {
  /** Which bytes those are, where others of that name and length are possible. */
  version?: string;
  open(): AsyncIterable<Uint8Array>;
}

/**
 * The bytes of a ZIP, as many as `ZipLength` says. Nothing of it is on a disk, and in memory are one block and the directory.
 * @param digest of the entries that were announced
 * @throws what reading an entry throws: the ZIP breaks off, as its length was promised; `not-found` before its end where the entries are others by now
 */
export async function* zipStream(entries: AsyncIterable<StreamedEntry>, digest: string): AsyncGenerator<Buffer> {
  const directory: Buffer[] = [];
  const length = new ZipLength();
  let offset = 0;
  for await (const entry of entries) {
    length.add(entry);
    const written: WrittenEntry = { ...entry, crc: 0, offset };
    yield localHeader(entry);
    if (entry.sizeBytes !== null) {
      for await (const block of storedBlocks(entry.open(), entry.sizeBytes, entry.name)) {
        written.crc = crc32(block.subarray(BLOCK_HEAD_BYTES), written.crc);
        yield block;
      }
      yield descriptor(entry, written.crc);
    }
    directory.push(centralHeader(written));
    offset += entryBytes(entry);
  }
  if (length.digest !== digest) throw changed();
  yield* directory;
  const sizeBytes = directory.reduce((sum, { length }) => sum + length, 0);
  yield endRecords(directory.length, offset, sizeBytes);
}

const changed = () =>
  new EngineError(
    'not-found',
    'What was to be downloaded has changed since it was prepared: something of it expired or was erased. Start the download again.',
  );

/** Deflate without compression: blocks of the same size whatever pieces the bytes come in, the last one marked. */
async function* storedBlocks(
  bytes: AsyncIterable<Uint8Array>,
  sizeBytes: number,
  name: string,
): AsyncGenerator<Buffer> {
  let left = sizeBytes;
  let block = newBlock(left);
  let filled = BLOCK_HEAD_BYTES;
  for await (const piece of bytes) {
    for (let at = 0; at < piece.length; ) {
      // Full, and there is more: so it was not the last.
      if (filled === block.length && left > 0) {
        yield block;
        block = newBlock(left);
        filled = BLOCK_HEAD_BYTES;
      }
      const count = Math.min(block.length - filled, piece.length - at);
      if (count === 0) throw otherSize(name, sizeBytes);
      block.set(piece.subarray(at, at + count), filled);
      filled += count;
      at += count;
      left -= count;
    }
  }
  if (left !== 0) throw otherSize(name, sizeBytes);
  yield block;
}

/** @param left bytes that are still to come, those of the block among them */
function newBlock(left: number): Buffer {
  const length = Math.min(left, BLOCK_BYTES);
  const block = Buffer.allocUnsafe(BLOCK_HEAD_BYTES + length);
  block.writeUInt8(left <= BLOCK_BYTES ? 1 : 0, 0);
  block.writeUInt16LE(length, 1);
  block.writeUInt16LE(~length & 0xffff, 3);
  return block;
}

const otherSize = (name: string, sizeBytes: number) =>
  new Error(`'${name}' has other bytes than the ${sizeBytes} that the length of the ZIP was made of.`);

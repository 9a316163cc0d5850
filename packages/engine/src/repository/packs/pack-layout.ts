import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';
import { EngineError } from '../../model/engine-error.ts';
import type { ChunkEntry } from '../commit.ts';

/** The bytes of a pack (format, 5): what the writer and the reader of packs share. */

export const PACK_MAGIC = Buffer.concat([Buffer.from('KWPACK'), Buffer.from([1, 0])]);
export const PACK_END = Buffer.from('KWPE');
export const SALT_BYTES = 16;
export const TAG_BYTES = 16;
export const BODIES_START = PACK_MAGIC.length + SALT_BYTES;
export const TRAILER_BYTES = 4 + PACK_END.length;
const ENTRY_BYTES = 33;
const DIRECTORY = Buffer.from('directory');
/** What the body of a group is bound to; that of a chunk alone is bound to its id. */
export const GROUP = Buffer.from('group');
const COMPRESSED = 1;
const IN_GROUP = 2;

export function sealAt(key: KeyObject, offset: number, bound: Uint8Array, plain: Uint8Array): Buffer[] {
  const cipher = createCipheriv('aes-256-gcm', key, nonceOf(offset));
  cipher.setAAD(bound);
  const body = cipher.update(plain);
  cipher.final();
  return [body, cipher.getAuthTag()];
}

/** @returns `null` when the bytes were changed, or belong elsewhere */
export function openAt(key: KeyObject, offset: number, bound: Uint8Array, sealed: Buffer): Buffer | null {
  if (sealed.length < TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(offset));
  decipher.setAAD(bound);
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const plain = decipher.update(sealed.subarray(0, -TAG_BYTES));
  try {
    decipher.final();
    return plain;
  } catch {
    return null;
  }
}

function nonceOf(offset: number): Buffer {
  const nonce = Buffer.alloc(12);
  nonce.writeUInt32LE(offset);
  return nonce;
}

/** The directory and the trailer, to be put behind the bodies. */
export function sealDirectory(key: KeyObject, offset: number, entries: readonly ChunkEntry[]): Buffer[] {
  const plain = Buffer.alloc(entries.length * ENTRY_BYTES);
  for (const [index, entry] of entries.entries()) writeEntry(plain, index * ENTRY_BYTES, entry);
  const sealed = sealAt(key, offset, DIRECTORY, plain);
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.writeUInt32LE(plain.length + TAG_BYTES);
  PACK_END.copy(trailer, 4);
  return [...sealed, trailer];
}

function writeEntry(plain: Buffer, at: number, entry: ChunkEntry): void {
  plain.write(entry.id, at, 'base64url');
  plain.writeUInt32LE(entry.offset, at + 16);
  plain.writeUInt32LE(entry.storedBytes, at + 20);
  plain.writeUInt32LE(entry.plainBytes, at + 24);
  plain.writeUInt8((entry.isCompressed ? COMPRESSED : 0) | (entry.groupStart === undefined ? 0 : IN_GROUP), at + 28);
  plain.writeUInt32LE(entry.groupStart ?? 0, at + 29);
}

/** @returns `null` when it does not open, or is no list of entries that are before it */
export function openDirectory(key: KeyObject, offset: number, sealed: Buffer): ChunkEntry[] | null {
  const plain = openAt(key, offset, DIRECTORY, sealed);
  if (plain === null || plain.length % ENTRY_BYTES !== 0) return null;
  const entries = Array.from({ length: plain.length / ENTRY_BYTES }, (_, index) =>
    readEntry(plain, index * ENTRY_BYTES),
  );
  const isInside = ({ offset: start, storedBytes }: ChunkEntry) =>
    start >= BODIES_START && start + storedBytes <= offset;
  return entries.every(isInside) ? entries : null;
}

function readEntry(plain: Buffer, at: number): ChunkEntry {
  const how = plain.readUInt8(at + 28);
  const entry = {
    id: plain.toString('base64url', at, at + 16),
    offset: plain.readUInt32LE(at + 16),
    storedBytes: plain.readUInt32LE(at + 20),
    plainBytes: plain.readUInt32LE(at + 24),
    isCompressed: (how & COMPRESSED) !== 0,
  };
  return (how & IN_GROUP) === 0 ? entry : { ...entry, groupStart: plain.readUInt32LE(at + 29) };
}

/** The salt of a pack's key. @throws `damaged`, `newer-repository` */
export function saltOf(head: Buffer, name: string): Buffer {
  const isPack = head.length >= BODIES_START && head.subarray(0, 6).equals(PACK_MAGIC.subarray(0, 6));
  if (!isPack) throw new EngineError('damaged', `The pack ${name} does not begin as a pack does.`);
  if (!head.subarray(0, PACK_MAGIC.length).equals(PACK_MAGIC)) {
    throw new EngineError('newer-repository', `The pack ${name} was written by a newer version of Keepwatch.`);
  }
  return head.subarray(PACK_MAGIC.length, BODIES_START);
}

import { createHash } from 'node:crypto';
import { EngineError } from '../../model/engine-error.ts';

/** The object of a commit, as it is in a segment. */
export interface SegmentEntry {
  run: string;
  sequence: number;
  form: number;
  /** Where its bytes are in the segment. */
  start: number;
  length: number;
}

export interface WholeEntry extends Pick<SegmentEntry, 'run' | 'sequence' | 'form'> {
  bytes: Buffer;
}

const MAGIC = Buffer.concat([Buffer.from('KWSEGM'), Buffer.from([1, 0])]);
const HEAD_BYTES = MAGIC.length + 4;
const ENTRY_BYTES = 26;
const HASH_BYTES = 32;
/** Names of commits have eight digits. */
const SEQUENCE_MAX = 99_999_999;

export const directoryBytes = (count: number) => HEAD_BYTES + ENTRY_BYTES * count + HASH_BYTES;

/** The bytes of a segment (format, 6): a directory, the objects one after the other, and the directory once more. */
export function segmentBytes(entries: readonly WholeEntry[]): Buffer {
  const directory = Buffer.alloc(directoryBytes(entries.length));
  MAGIC.copy(directory);
  directory.writeUInt32LE(entries.length, MAGIC.length);
  for (const [at, { run, sequence, form, bytes }] of entries.entries()) {
    const offset = HEAD_BYTES + at * ENTRY_BYTES;
    directory.write(run.replaceAll('-', ''), offset, 'hex');
    directory.writeUInt32LE(sequence, offset + 16);
    directory.writeUInt16LE(form, offset + 20);
    directory.writeUInt32LE(bytes.length, offset + 22);
  }
  const end = directory.length - HASH_BYTES;
  hashOf(directory.subarray(0, end)).copy(directory, end);
  const count = directory.subarray(MAGIC.length, HEAD_BYTES);
  return Buffer.concat([directory, ...entries.map(({ bytes }) => bytes), directory, count]);
}

/** How many entries the head of a segment says it has; `null` where it is none. */
export function countIn(head: Buffer): number | null {
  const isHead = head.length >= HEAD_BYTES && head.subarray(0, MAGIC.length).equals(MAGIC);
  return isHead ? head.readUInt32LE(MAGIC.length) : null;
}

/** The directory at the beginning of some bytes; `null` where it is damaged. */
export function readDirectory(bytes: Buffer): SegmentEntry[] | null {
  const count = countIn(bytes);
  if (count === null || bytes.length < directoryBytes(count)) return null;
  const end = HEAD_BYTES + ENTRY_BYTES * count;
  if (!hashOf(bytes.subarray(0, end)).equals(bytes.subarray(end, end + HASH_BYTES))) return null;
  const entries: SegmentEntry[] = [];
  let start = directoryBytes(count);
  for (let offset = HEAD_BYTES; offset < end; offset += ENTRY_BYTES) {
    const hex = bytes.toString('hex', offset, offset + 16);
    const run = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
    const [sequence, form] = [bytes.readUInt32LE(offset + 16), bytes.readUInt16LE(offset + 20)];
    const length = bytes.readUInt32LE(offset + 22);
    if (sequence > SEQUENCE_MAX) return null;
    entries.push({ run, sequence, form, start, length });
    start += length;
  }
  return entries;
}

/** The directory of a whole segment, of which one of the two copies may be damaged. @throws `damaged` */
export function directoryOf(name: string, bytes: Buffer): SegmentEntry[] {
  const count = bytes.length < 4 ? 0 : bytes.readUInt32LE(bytes.length - 4);
  const end = bytes.length - 4 - directoryBytes(count);
  const entries = readDirectory(bytes) ?? (end < 0 ? null : readDirectory(bytes.subarray(end)));
  if (entries !== null) return entries;
  throw new EngineError(
    'damaged',
    `The object ${name} was changed or cut after it was written. Bring it back from a copy of the repository.`,
  );
}

function hashOf(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

/**
 * The records of a ZIP whose length is known before its bytes are (APPNOTE.TXT 6.3.10, https://pkware.cachefly.net/webdocs/APPNOTE/APPNOTE-6.3.10.TXT).
 * Files are deflate streams of stored blocks: their length follows from the size, and readers that take a ZIP as it comes find their end. The checksum
 * comes behind the bytes, in a data descriptor.
 */

/** An entry as it is announced. Folders end with a slash and have no bytes. */
export interface ZipEntry {
  name: string;
  modifiedAt: Date | null;
  /** `null`: a folder. */
  sizeBytes: number | null;
}

/** An entry that was written. */
export interface WrittenEntry extends ZipEntry {
  crc: number;
  /** Where its local header is. */
  offset: number;
}

const MAX_16 = 0xffff;
const MAX_32 = 0xffffffff;
/** Longest stored block of deflate (RFC 1951, 3.2.4), and what comes before each. */
export const BLOCK_BYTES = 65_535;
export const BLOCK_HEAD_BYTES = 5;
const LOCAL_BYTES = 30;
const CENTRAL_BYTES = 46;
const END_BYTES = 22;
const END_64_BYTES = 56 + 20;
/** Extended timestamp (Info-ZIP's `UT`): DOS times have no time zone. */
const TIME_EXTRA_BYTES = 9;
const SIZES_EXTRA_BYTES = 20;
const [VERSION, VERSION_64, MADE_ON_UNIX] = [20, 45, 3 << 8];
const [WITH_DESCRIPTOR, NAMES_ARE_UTF8] = [0x08, 0x800];
const [STORED, DEFLATED] = [0, 8];
/** What an item without an instant shows: the first that DOS knows. */
const NO_TIME = new Date('1980-01-01T00:00:00Z');

export const deflatedBytes = (sizeBytes: number) =>
  sizeBytes + BLOCK_HEAD_BYTES * Math.max(1, Math.ceil(sizeBytes / BLOCK_BYTES));

const compressedOf = ({ sizeBytes }: ZipEntry) => (sizeBytes === null ? 0 : deflatedBytes(sizeBytes));
const isLarge = (entry: ZipEntry) => compressedOf(entry) >= MAX_32;

/** All that an entry takes before the directory: header, bytes, descriptor. */
export function entryBytes(entry: ZipEntry): number {
  const descriptor = entry.sizeBytes === null ? 0 : isLarge(entry) ? 24 : 16;
  const extra = TIME_EXTRA_BYTES + (isLarge(entry) ? SIZES_EXTRA_BYTES : 0);
  return LOCAL_BYTES + Buffer.byteLength(entry.name) + extra + compressedOf(entry) + descriptor;
}

/** What an entry takes in the directory. */
export function directoryBytes(entry: ZipEntry, offset: number): number {
  const fields = (isLarge(entry) ? 16 : 0) + (offset >= MAX_32 ? 8 : 0);
  return CENTRAL_BYTES + Buffer.byteLength(entry.name) + TIME_EXTRA_BYTES + (fields === 0 ? 0 : 4 + fields);
}

export const endBytes = (entries: number, offset: number, sizeBytes: number) =>
  END_BYTES + (needs64(entries, offset, sizeBytes) ? END_64_BYTES : 0);

export function localHeader(entry: ZipEntry): Buffer {
  const name = Buffer.from(entry.name);
  const large = isLarge(entry);
  const extra = [timeExtra(entry), ...(large ? [extraOf(1, [0, 0])] : [])];
  const head = Buffer.alloc(LOCAL_BYTES);
  head.writeUInt32LE(0x04034b50, 0);
  writeCommon(head, 4, entry, large);
  // Behind the bytes: here they are unknown.
  head.writeUInt32LE(large ? MAX_32 : 0, 18);
  head.writeUInt32LE(large ? MAX_32 : 0, 22);
  head.writeUInt16LE(name.length, 26);
  head.writeUInt16LE(lengthOf(extra), 28);
  return Buffer.concat([head, name, ...extra]);
}

export function descriptor(entry: ZipEntry, crc: number): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(0x08074b50, 0);
  head.writeUInt32LE(crc, 4);
  const sizes = [compressedOf(entry), entry.sizeBytes ?? 0];
  return Buffer.concat([head, isLarge(entry) ? eightBytes(sizes) : fourBytes(sizes)]);
}

export function centralHeader(entry: WrittenEntry): Buffer {
  const name = Buffer.from(entry.name);
  const [large, far] = [isLarge(entry), entry.offset >= MAX_32];
  const size = entry.sizeBytes ?? 0;
  const wide = [...(large ? [size, compressedOf(entry)] : []), ...(far ? [entry.offset] : [])];
  const extra = [timeExtra(entry), ...(wide.length > 0 ? [extraOf(1, wide)] : [])];
  const head = Buffer.alloc(CENTRAL_BYTES);
  head.writeUInt32LE(0x02014b50, 0);
  head.writeUInt16LE(MADE_ON_UNIX | VERSION_64, 4);
  writeCommon(head, 6, entry, large || far);
  head.writeUInt32LE(entry.crc, 16);
  head.writeUInt32LE(large ? MAX_32 : compressedOf(entry), 20);
  head.writeUInt32LE(large ? MAX_32 : size, 24);
  head.writeUInt16LE(name.length, 28);
  head.writeUInt16LE(lengthOf(extra), 30);
  // Mode of a Unix file or folder, and the folder's bit of DOS.
  head.writeUInt32LE(entry.sizeBytes === null ? (0o40755 * 0x10000 + 0x10) >>> 0 : (0o100644 * 0x10000) >>> 0, 38);
  head.writeUInt32LE(far ? MAX_32 : entry.offset, 42);
  return Buffer.concat([head, name, ...extra]);
}

/** The end of the archive. @param offset where the directory begins @param sizeBytes of the directory */
export function endRecords(entries: number, offset: number, sizeBytes: number): Buffer {
  const end = Buffer.alloc(END_BYTES);
  end.writeUInt32LE(0x06054b50, 0);
  for (const at of [8, 10]) end.writeUInt16LE(Math.min(entries, MAX_16), at);
  end.writeUInt32LE(Math.min(sizeBytes, MAX_32), 12);
  end.writeUInt32LE(Math.min(offset, MAX_32), 16);
  if (!needs64(entries, offset, sizeBytes)) return end;
  const end64 = Buffer.alloc(END_64_BYTES);
  end64.writeUInt32LE(0x06064b50, 0);
  end64.writeBigUInt64LE(44n, 4);
  end64.writeUInt16LE(MADE_ON_UNIX | VERSION_64, 12);
  end64.writeUInt16LE(VERSION_64, 14);
  eightBytes([entries, entries, sizeBytes, offset]).copy(end64, 24);
  end64.writeUInt32LE(0x07064b50, 56);
  end64.writeBigUInt64LE(BigInt(offset + sizeBytes), 64);
  end64.writeUInt32LE(1, 72);
  return Buffer.concat([end64, end]);
}

function needs64(entries: number, offset: number, sizeBytes: number): boolean {
  return entries >= MAX_16 || offset >= MAX_32 || sizeBytes >= MAX_32;
}

/** Version, flags, method and time, which both headers have in this order. */
function writeCommon(head: Buffer, at: number, { sizeBytes, modifiedAt }: ZipEntry, is64: boolean): void {
  const isFolder = sizeBytes === null;
  head.writeUInt16LE(is64 ? VERSION_64 : VERSION, at);
  head.writeUInt16LE(NAMES_ARE_UTF8 | (isFolder ? 0 : WITH_DESCRIPTOR), at + 2);
  head.writeUInt16LE(isFolder ? STORED : DEFLATED, at + 4);
  head.writeUInt32LE(dosTime(modifiedAt ?? NO_TIME), at + 6);
}

/** Date in the upper half, time in the lower, in UTC, from 1980 to 2107. */
function dosTime(at: Date): number {
  const year = Math.min(Math.max(at.getUTCFullYear() - 1980, 0), 127);
  const date = (year << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return date * 0x10000 + time;
}

function timeExtra({ modifiedAt }: ZipEntry): Buffer {
  const extra = Buffer.alloc(TIME_EXTRA_BYTES);
  extra.write('UT', 0, 'latin1');
  extra.writeUInt16LE(5, 2);
  extra.writeUInt8(1, 4);
  const seconds = Math.floor((modifiedAt ?? NO_TIME).getTime() / 1_000);
  extra.writeInt32LE(Math.min(Math.max(seconds, -0x80000000), 0x7fffffff), 5);
  return extra;
}

function extraOf(id: number, numbers: readonly number[]): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(id, 0);
  head.writeUInt16LE(numbers.length * 8, 2);
  return Buffer.concat([head, eightBytes(numbers)]);
}

function eightBytes(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 8);
  for (const [at, number] of numbers.entries()) bytes.writeBigUInt64LE(BigInt(number), at * 8);
  return bytes;
}

function fourBytes(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4);
  for (const [at, number] of numbers.entries()) bytes.writeUInt32LE(number, at * 4);
  return bytes;
}

const lengthOf = (parts: readonly Buffer[]) => parts.reduce((sum, { length }) => sum + length, 0);

import { EmbeddedDatabaseError } from '../embedded-database-error.ts';

/** Tar archives consist of blocks of this size. */
export const BLOCK_BYTES = 512;

export type ArchiveEntry = { name: string; bytes: number } & (
  | { kind: 'file' | 'folder' }
  | { kind: 'link'; target: string }
);

const CHECKSUM = { start: 148, end: 156 };

/** Reads the header of an entry as PostgreSQL writes it (POSIX ustar), or undefined at the end of the archive. */
export function parseEntry(block: Buffer): ArchiveEntry | undefined {
  if (block.every((byte) => byte === 0)) return undefined;
  if (numberIn(block, CHECKSUM.start, CHECKSUM.end) !== checksumOf(block))
    throw new EmbeddedDatabaseError('The archive in the backup cannot be read.');
  const prefix = textIn(block, 345, 500);
  const name = `${prefix === '' ? '' : `${prefix}/`}${textIn(block, 0, 100)}`;
  const type = String.fromCharCode(block[156] ?? 0);
  if (type === '5') return { kind: 'folder', name, bytes: 0 };
  if (type === '2') return { kind: 'link', name, bytes: 0, target: textIn(block, 157, 257) };
  if (type === '0' || type === '\0') return { kind: 'file', name, bytes: numberIn(block, 124, 136) };
  throw new EmbeddedDatabaseError(`The archive in the backup has an entry of a kind "${type}", which is not known.`);
}

function textIn(block: Buffer, start: number, end: number): string {
  return block.toString('utf8', start, end).replace(/\0.*$/s, '');
}

/** Octal digits, or, for what does not fit in them, a binary number after a first byte with its highest bit set. */
function numberIn(block: Buffer, start: number, end: number): number {
  const isBinary = ((block[start] ?? 0) & 0x80) !== 0;
  return isBinary ? block.readUIntBE(end - 6, 6) : Number.parseInt(textIn(block, start, end).trim() || '0', 8);
}

/** The sum of all bytes, those of the checksum itself counted as spaces. */
function checksumOf(block: Buffer): number {
  return block.reduce((sum, byte, at) => sum + (at >= CHECKSUM.start && at < CHECKSUM.end ? 0x20 : byte), 0);
}

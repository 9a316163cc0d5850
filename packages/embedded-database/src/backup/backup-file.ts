import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { EmbeddedDatabaseError, explainSystemError, systemErrorCode } from '../embedded-database-error.ts';
import { type BackupHeader, headerLine, parseHeader } from './backup-header.ts';

/**
 * A backup file: one line of JSON (`BackupHeader`), the tar archive of the cluster compressed with Zstandard, and the
 * SHA-256 of all bytes before it.
 */
const CHECKSUM_BYTES = 32;
const HEADER_BYTES_MAX = 16_384;

/** Writes a backup aside and renames it when it is whole and on the disk. Returns its size in bytes. */
export async function writeBackupFile(
  file: string,
  header: BackupHeader,
  archive: Readable,
  onProgress: (bytes: number) => void = () => undefined,
): Promise<number> {
  const unfinished = `${file}.unfinished`;
  try {
    await refuseExisting(file);
    const handle = await open(unfinished, 'w', 0o600);
    try {
      await writeParts(handle, headerLine(header), archive, onProgress);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(unfinished, file);
    return (await stat(file)).size;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw explainSystemError(error, 'write', file, 'Name another place for the backup, or make room there.');
  }
}

async function refuseExisting(file: string): Promise<void> {
  const found = await stat(file).catch(() => undefined);
  if (found !== undefined) throw new EmbeddedDatabaseError(`${file} is there already. Name another file.`);
}

async function writeParts(
  handle: FileHandle,
  line: string,
  archive: Readable,
  onProgress: (bytes: number) => void,
): Promise<void> {
  const hash = createHash('sha256').update(line);
  await handle.writeFile(line);
  await pipeline(
    archive,
    counting(onProgress),
    createZstdCompress(),
    hashing(hash),
    async (parts: AsyncIterable<Buffer>) => {
      for await (const part of parts) await handle.writeFile(part);
    },
  );
  await handle.writeFile(hash.digest());
}

function counting(onProgress: (bytes: number) => void): Transform {
  let bytes = 0;
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      bytes += part.length;
      onProgress(bytes);
      done(null, part);
    },
  });
}

function hashing(hash: Hash): Transform {
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      hash.update(part);
      done(null, part);
    },
  });
}

/** A backup whose every byte has been read and found as it was written. */
export type VerifiedBackup = { header: BackupHeader; openArchive(): Readable };

/**
 * Reads the whole file before anything is made of it.
 * @throws EmbeddedDatabaseError when it is no backup, was cut off or changed
 */
export async function verifyBackupFile(file: string): Promise<VerifiedBackup> {
  try {
    const bytes = (await stat(file)).size;
    const { header, length } = await readHeader(file);
    if (!(await isWhole(file, bytes))) throw new EmbeddedDatabaseError(damaged(file));
    const range = { start: length, end: bytes - CHECKSUM_BYTES - 1 };
    const openArchive = () => {
      const plain = createZstdDecompress();
      createReadStream(file, range)
        .on('error', (error) => plain.destroy(error))
        .pipe(plain);
      return plain;
    };
    return { header, openArchive };
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw explainSystemError(error, 'read', file);
    throw new EmbeddedDatabaseError(`There is no file ${file}.`);
  }
}

/** What a backup says about itself, and the checksum that it was written with. Its content is not read. */
export async function describeBackupFile(
  file: string,
): Promise<{ header: BackupHeader; bytes: number; checksum: string }> {
  try {
    const bytes = (await stat(file)).size;
    const { header } = await readHeader(file);
    if (bytes <= CHECKSUM_BYTES) throw new EmbeddedDatabaseError(damaged(file));
    const handle = await open(file, 'r');
    try {
      const { buffer } = await handle.read(Buffer.alloc(CHECKSUM_BYTES), 0, CHECKSUM_BYTES, bytes - CHECKSUM_BYTES);
      return { header, bytes, checksum: buffer.toString('hex') };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw explainSystemError(error, 'read', file);
    throw new EmbeddedDatabaseError(`There is no file ${file}.`);
  }
}

async function readHeader(file: string): Promise<{ header: BackupHeader; length: number }> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES_MAX), 0, HEADER_BYTES_MAX, 0);
    const length = buffer.subarray(0, bytesRead).indexOf('\n') + 1;
    return { header: parseHeader(buffer.toString('utf8', 0, length), file), length };
  } finally {
    await handle.close();
  }
}

async function isWhole(file: string, bytes: number): Promise<boolean> {
  if (bytes <= CHECKSUM_BYTES) return false;
  const hash = createHash('sha256');
  let rest = bytes - CHECKSUM_BYTES;
  const checksum: Buffer[] = [];
  for await (const part of createReadStream(file)) {
    hash.update(part.subarray(0, rest));
    checksum.push(part.subarray(rest));
    rest = Math.max(0, rest - part.length);
  }
  return hash.digest().equals(Buffer.concat(checksum));
}

function damaged(file: string): string {
  return `${file} was cut off or changed since it was written (its checksum is wrong). Nothing was restored; use another backup.`;
}

import { randomBytes } from 'node:crypto';
import { type FileHandle, open as openFile, rm } from 'node:fs/promises';
import { PassThrough, Writable } from 'node:stream';
import { Reader, Uint8ArrayReader, ZipWriter, type ZipWriterAddDataOptions } from '@zip.js/zip.js';
import { writeWhole } from './write-whole.ts';

/** Contents up to this size wait in memory for their turn, larger ones on the disk beside the archive. */
const MEMORY_BYTES = 8 * 1024 * 1024;
/** Names within an archive have a length of 16 bits. */
const NAME_BYTES_MAX = 65_000;
/** Formats that are compressed already: trying again costs time and gives nothing. */
const COMPRESSED =
  /\.(?:7z|aac|avif|avi|br|bz2|docx|flac|gif|gz|heic|jpe?g|m4[av]|mkv|mov|mp[34]|msix|odp|ods|odt|og[gv]|png|pptx|rar|vsdx|web[mp]|wm[av]|xlsx|xz|zip|zst)$/i;

const LEVEL = 6;

export class NameTooLongError extends Error {
  constructor(name: string) {
    super(`Its path has ${Buffer.byteLength(name)} bytes; an archive takes ${NAME_BYTES_MAX}. Export a folder below.`);
  }
}

/**
 * A ZIP that is written as its entries come, of any size (ZIP64). An entry is read whole before it is begun, so that bytes that turn out to be
 * damaged leave no torn entry: the archive goes on without it.
 */
export class ZipFile {
  private readonly path: string;
  private readonly zip: ZipWriter<unknown>;
  private readonly failing = new AbortController();
  private readonly signal: AbortSignal;
  private readonly writing: Promise<void>;

  /** Begins to write at once; `finish` or `abort` must follow. */
  constructor(path: string, signal: AbortSignal) {
    this.path = path;
    this.signal = AbortSignal.any([signal, this.failing.signal]);
    const output = new PassThrough();
    this.zip = new ZipWriter(Writable.toWeb(output), { useWebWorkers: false, keepOrder: true, signal: this.signal });
    this.writing = writeWhole(output, path, this.signal);
    // It is awaited in the end; what fails meanwhile ends the entry under way.
    this.writing.catch((error: unknown) => this.failing.abort(error));
  }

  async addFolder(name: string, modifiedAt: Date | null): Promise<void> {
    await this.add(checked(name), undefined, { directory: true, lastModDate: modifiedAt ?? new Date() });
  }

  /**
   * Resolves when the entry is written.
   * @param sizeBytes `null` for bytes that are counted as they come
   * @throws what reading the bytes throws; the archive is unharmed then
   */
  async addFile(
    name: string,
    modifiedAt: Date | null,
    sizeBytes: number | null,
    open: () => AsyncIterable<Uint8Array>,
  ): Promise<void> {
    this.signal.throwIfAborted();
    checked(name);
    const options = { lastModDate: modifiedAt ?? new Date(), level: COMPRESSED.test(name) ? 0 : LEVEL };
    if (sizeBytes !== null && sizeBytes <= MEMORY_BYTES) {
      const bytes: Uint8Array[] = [];
      for await (const part of open()) bytes.push(part);
      return this.add(name, new Uint8ArrayReader(Buffer.concat(bytes)), options);
    }
    const spool = `${this.path}.${randomBytes(6).toString('hex')}.entry`;
    try {
      await writeWhole(open(), spool, this.signal);
      await using file = await openFile(spool);
      await this.add(name, new FileBytes(file, (await file.stat()).size), options);
    } finally {
      await rm(spool, { force: true });
    }
  }

  /** @throws when the disk takes no more; there is no file then */
  async finish(): Promise<void> {
    await this.orFailed(this.zip.close());
    await this.writing;
  }

  /** Leaves nothing behind. Harmless after `finish`. */
  async abort(): Promise<void> {
    this.failing.abort(new Error('The archive was given up.'));
    await this.writing.catch(() => undefined);
  }

  private async add(name: string, bytes: Parameters<Zip['add']>[1], options: ZipWriterAddDataOptions): Promise<void> {
    this.signal.throwIfAborted();
    await this.orFailed(this.zip.add(name, bytes, options));
  }

  /** A disk that takes no more ends what is being written to it, and is the reason to report. */
  private async orFailed(work: Promise<unknown>): Promise<void> {
    const aborted = Promise.withResolvers<never>();
    const abort = () => aborted.reject(this.signal.reason);
    this.signal.addEventListener('abort', abort, { once: true });
    try {
      await Promise.race([work, aborted.promise]);
    } finally {
      this.signal.removeEventListener('abort', abort);
      work.catch(() => undefined);
    }
  }
}

type Zip = ZipWriter<unknown>;

/** The bytes of a file, read as the archive takes them. */
class FileBytes extends Reader<FileHandle> {
  private readonly file: FileHandle;

  constructor(file: FileHandle, sizeBytes: number) {
    super(file);
    this.file = file;
    this.size = sizeBytes;
  }

  override async readUint8Array(start: number, length: number): Promise<Uint8Array<ArrayBuffer>> {
    const bytes = new Uint8Array(length);
    const { bytesRead } = await this.file.read(bytes, 0, length, start);
    return bytes.subarray(0, bytesRead);
  }
}

/** As a path below the archive's own folder: no reader is led out of where it unpacks. */
const OUTSIDE = /^\/|^[a-z]:|(?:^|[\\/])\.\.(?:[\\/]|$)/i;

function checked(name: string): string {
  if (Buffer.byteLength(name) > NAME_BYTES_MAX) throw new NameTooLongError(name);
  if (OUTSIDE.test(name)) throw new Error(`'${name}' leads out of the archive.`);
  return name;
}

/** Fills a ZIP, which has its name only when it is whole. @throws what filling throws, or why it was stopped; there is no file then */
export async function writeZip(
  path: string,
  signal: AbortSignal,
  fill: (zip: ZipFile) => Promise<void>,
): Promise<void> {
  const zip = new ZipFile(path, signal);
  try {
    await fill(zip);
    await zip.finish();
  } catch (error) {
    await zip.abort();
    signal.throwIfAborted();
    throw error;
  }
}

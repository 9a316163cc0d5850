import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { addAbortSignal, PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile as Zip } from 'yazl';
import { writeWhole } from './write-whole.ts';

/** Contents up to this size wait in memory for their turn, larger ones on the disk beside the archive. */
const MEMORY_BYTES = 8 * 1024 * 1024;
/** Names within an archive have a length of 16 bits. */
const NAME_BYTES_MAX = 65_000;
/** Formats that are compressed already: trying again costs time and gives nothing. */
const COMPRESSED =
  /\.(?:7z|aac|avif|avi|br|bz2|docx|flac|gif|gz|heic|jpe?g|m4[av]|mkv|mov|mp[34]|msix|odp|ods|odt|og[gv]|png|pptx|rar|vsdx|web[mp]|wm[av]|xlsx|xz|zip|zst)$/i;

/**
 * What yazl 3.3.1 keeps of its entries, which it does not publish. Before each step it looks through all of them for the first that is not
 * written: left to itself a ZIP takes time with the square of its entries.
 */
interface Entries {
  entries: Entry[];
}
interface Entry {
  state: number;
}
const ENTRY_IS_WRITTEN = 3;

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
  private readonly zip = new Zip() as Zip & Entries;
  /** Entries that are written, which wait for the directory at the end. */
  private readonly written: Entry[] = [];
  private readonly failing = new AbortController();
  private readonly signal: AbortSignal;
  private readonly writing: Promise<void>;

  /** Begins to write at once; `finish` or `abort` must follow. */
  constructor(path: string, signal: AbortSignal) {
    this.path = path;
    this.signal = AbortSignal.any([signal, this.failing.signal]);
    this.zip.on('error', (error: unknown) => this.failing.abort(error));
    const output = new PassThrough();
    this.zip.outputStream.pipe(output);
    this.writing = writeWhole(output, path, this.signal);
    // It is awaited in the end; what fails meanwhile ends the entry under way.
    this.writing.catch((error: unknown) => this.failing.abort(error));
  }

  addFolder(name: string, modifiedAt: Date | null): void {
    this.setAside();
    this.zip.addEmptyDirectory(checked(name), { mtime: modifiedAt ?? new Date() });
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
    this.setAside();
    const options = { mtime: modifiedAt ?? new Date(), compress: !COMPRESSED.test(name) };
    checked(name);
    if (sizeBytes !== null && sizeBytes <= MEMORY_BYTES) {
      const bytes: Uint8Array[] = [];
      for await (const part of open()) bytes.push(part);
      const whole = Buffer.concat(bytes);
      return this.pass(Readable.from([whole], { objectMode: false }), name, { ...options, size: whole.length });
    }
    const spool = `${this.path}.${randomBytes(6).toString('hex')}.entry`;
    try {
      await writeWhole(open(), spool, this.signal);
      await this.pass(createReadStream(spool), name, { ...options, size: sizeBytes ?? (await stat(spool)).size });
    } finally {
      await rm(spool, { force: true });
    }
  }

  /** @throws when the disk takes no more; there is no file then */
  async finish(): Promise<void> {
    this.zip.entries = [...this.written, ...this.zip.entries];
    this.zip.end();
    await this.writing;
  }

  /** Leaves nothing behind. Harmless after `finish`. */
  async abort(): Promise<void> {
    this.failing.abort(new Error('The archive was given up.'));
    await this.writing.catch(() => undefined);
  }

  private setAside(): void {
    const { entries } = this.zip;
    while (entries[0]?.state === ENTRY_IS_WRITTEN) this.written.push(...entries.splice(0, 1));
  }

  /** One entry after the other: what waits in the queue would hold its source open. */
  private async pass(bytes: Readable, name: string, options: { mtime: Date; compress: boolean; size: number }) {
    addAbortSignal(this.signal, bytes);
    // First: a name that it refuses, it refuses at once, and nobody would be there for how the bytes ended.
    this.zip.addReadStream(bytes, name, options);
    const ended = finished(bytes, { writable: false });
    await ended.catch((error: unknown) => {
      this.signal.throwIfAborted();
      throw error;
    });
  }
}

function checked(name: string): string {
  if (Buffer.byteLength(name) > NAME_BYTES_MAX) throw new NameTooLongError(name);
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

import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { extname } from 'node:path';
import { EarlierPartError, FileNotWrittenError, ItemNotWrittenError } from './errors.ts';
import type { FolderKind, FolderOptions } from './folder.ts';
import { estimateBytes } from './mapi/estimate-bytes.ts';
import { mapiMessage } from './mapi/mapi-message.ts';
import type { OutlookItem } from './outlook-item.ts';
import { Part } from './pst/part.ts';

export interface PstWriterOptions {
  /** What Outlook calls the data file. Default: `Outlook Data File`. */
  displayName?: string;
  /** Of the folder Outlook deletes into; a folder added with this name is that folder. Default `Deleted Items`. */
  deletedItemsName?: string;
  /** A further file is begun rather than exceeding this. Default 40 GiB: Outlook by default opens up to 50 GB. */
  partSizeBytes?: number;
  /** How blocks are encoded. `permute`, the default, is what Outlook itself does; it is no protection. */
  encoding?: 'permute' | 'none';
}

export interface WrittenPart {
  path: string;
  sizeBytes: number;
  itemCount: number;
}

/** A folder to add items to. It continues in the next part where one is begun. */
export interface PstFolder {
  readonly path: readonly string[];
  readonly kind: FolderKind;
}

const DEFAULT_PART_BYTES = 40 * 1024 ** 3;

/**
 * Writes a mailbox as Unicode PST, in as many parts as its size asks for. Items go to the disk as they are added. The files appear
 * under their names only when all is written: `finish` moves them there, `abort` leaves nothing.
 */
export class PstWriter {
  readonly #path: string;
  readonly #options: Required<PstWriterOptions>;
  readonly #finished: { part: Part; sizeBytes: number }[] = [];
  #part: Part;
  #isBusy = false;
  #isOver = false;

  private constructor(path: string, options: Required<PstWriterOptions>, part: Part) {
    this.#path = path;
    this.#options = options;
    this.#part = part;
  }

  /**
   * @param path where the first part will be, `mailbox.pst`; others are `mailbox-2.pst` and so on. A file there is replaced.
   * @throws EarlierPartError where a further part of another file is there already: it would look like a part of this one
   */
  static async create(path: string, options: PstWriterOptions = {}): Promise<PstWriter> {
    const complete = {
      displayName: 'Outlook Data File',
      deletedItemsName: 'Deleted Items',
      partSizeBytes: DEFAULT_PART_BYTES,
      encoding: 'permute' as const,
      ...options,
    };
    const second = partPath(path, 2);
    if (existsSync(second)) throw new EarlierPartError(path, second);
    return new PstWriter(path, complete, await createPart(path, complete));
  }

  /**
   * Creates a folder, with those above it.
   * @param path names from the top, each of any script and any characters: `['Inbox', 'Ärger/2026']`
   */
  folder(path: readonly string[], options: FolderOptions = {}): PstFolder {
    if (path.length === 0) {
      throw new RangeError('A folder needs a name: the top of a PST has only folders.');
    }
    const folder = { path: [...path], kind: options.kind ?? 'mail' };
    this.#part.folder(folder.path, folder.kind);
    return folder;
  }

  /**
   * Writes an item into a folder. Wait for it before adding the next.
   * @throws ItemNotWrittenError, with the reason as `cause`, where its source fails; the file stays valid and continues
   * @throws FileNotWrittenError where the disk fails; the writer has aborted then
   */
  async add(folder: PstFolder, item: OutlookItem): Promise<void> {
    this.#start();
    try {
      const isBegun = this.#part.itemCount > 0;
      const isTooLarge = this.#part.bytesAfter(estimateBytes(item)) > this.#options.partSizeBytes;
      if (isBegun && (isTooLarge || this.#part.isFull(folder.path))) {
        await this.#nextPart();
      }
      await this.#part.add(this.#part.folder(folder.path, folder.kind), mapiMessage(item));
    } catch (error) {
      if (error instanceof FileNotWrittenError) {
        await this.abort();
        throw error;
      }
      const where = folder.path.join(' / ');
      throw new ItemNotWrittenError(`"${item.subject ?? ''}" in ${where} was not written: ${reason(error)}`, {
        cause: error,
      });
    } finally {
      this.#isBusy = false;
    }
  }

  /** Completes all parts and moves them into place. */
  async finish(): Promise<WrittenPart[]> {
    this.#start();
    const moved: string[] = [];
    try {
      await this.#finishPart();
      const parts: WrittenPart[] = [];
      for (const { part, sizeBytes } of this.#finished) {
        await rename(part.temporaryPath, part.targetPath);
        moved.push(part.targetPath);
        parts.push({ path: part.targetPath, sizeBytes, itemCount: part.itemCount });
      }
      this.#isOver = true;
      return parts;
    } catch (error) {
      await this.abort();
      await Promise.all(moved.map((path) => rm(path, { force: true })));
      throw error;
    }
  }

  /** Gives up and removes what was written. Harmless after `finish`. */
  async abort(): Promise<void> {
    if (!this.#isOver) {
      this.#isOver = true;
      await this.#part.discard();
      await Promise.all(this.#finished.map(({ part }) => part.discard()));
    }
  }

  /** Lets `await using` clean up after an error. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.abort();
  }

  #start(): void {
    if (this.#isOver) {
      throw new Error('This PST is finished or aborted; create another writer.');
    }
    if (this.#isBusy) {
      throw new Error('An item is still being added; wait for add() before the next call.');
    }
    this.#isBusy = true;
  }

  async #nextPart(): Promise<void> {
    await this.#finishPart();
    this.#part = await createPart(partPath(this.#path, this.#finished.length + 1), this.#options);
  }

  async #finishPart(): Promise<void> {
    const { sizeBytes } = await this.#part.finish();
    this.#finished.push({ part: this.#part, sizeBytes });
  }
}

function partPath(path: string, number: number): string {
  const extension = extname(path);
  return `${path.slice(0, path.length - extension.length)}-${number}${extension}`;
}

function createPart(path: string, options: Required<PstWriterOptions>): Promise<Part> {
  const { displayName, deletedItemsName, encoding } = options;
  return Part.create(path, { displayName, deletedItemsName, isPermuted: encoding === 'permute' });
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

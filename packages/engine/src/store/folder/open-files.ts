import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Files that stay open after they were read: those that a restore or an export is reading chunks of. */
const OPEN_MAX = 32;
/** Then they are closed, so that a disk can be removed from a program that does nothing. */
const IDLE_MS = 10_000;

/** How long a look at a file counts: one that was deleted is read for so long at most. */
const LOOK_MS = 1_000;

interface OpenFile {
  handle: Promise<FileHandle>;
  /** Its size, and when it was looked at, by the process's clock. */
  looked: { sizeBytes: number; atMs: number } | null;
  readers: number;
  isRemembered: boolean;
}

type Use<T> = (file: FileHandle, sizeBytes: number) => Promise<T>;

/**
 * Files of a store, open for reading. An object never changes, so a file that was opened once serves every further read of it: a mailbox
 * is read in many small pieces of few packs. What is not read any more is closed; an object that was deleted is forgotten.
 */
export class OpenFiles {
  /** In the order in which they were read last. */
  private readonly files = new Map<string, OpenFile>();
  /** Set when something was read, and put off by every further read: a new timer each time would be a cost of its own. */
  private idle: NodeJS.Timeout | undefined;

  /** Gives the open file and its size in bytes to `use`. @throws what opening throws, and `use`; ENOENT also for a file deleted since */
  async with<T>(path: string, use: Use<T>): Promise<T> {
    try {
      return await this.using(path, use);
    } catch (error) {
      if (!(error instanceof DeletedError)) throw error;
      // It is forgotten by now. What was deleted may have come back from a copy, as another file.
      return await this.using(path, use);
    }
  }

  private async using<T>(path: string, use: Use<T>): Promise<T> {
    const file = this.files.get(path) ?? newFile(path);
    this.files.delete(path);
    this.files.set(path, file);
    file.readers += 1;
    try {
      return await use(await file.handle, await sizeOf(file));
    } catch (error) {
      this.forget(path, file);
      throw error;
    } finally {
      file.readers -= 1;
      if (!file.isRemembered) await closeUnread(file);
      this.closeOldest(OPEN_MAX);
      this.idle ??= setTimeout(() => this.closeOldest(0), IDLE_MS).unref();
      this.idle.refresh();
    }
  }

  /** The object is gone, or another may come under its name. */
  async drop(path: string): Promise<void> {
    const file = this.files.get(path);
    if (file === undefined) return;
    this.forget(path, file);
    await closeUnread(file);
  }

  async close(): Promise<void> {
    clearTimeout(this.idle);
    this.idle = undefined;
    await Promise.all([...this.files.keys()].map((path) => this.drop(path)));
  }

  private closeOldest(openMax: number): void {
    for (const [path, file] of this.files) {
      if (this.files.size <= openMax) return;
      if (file.readers > 0) continue;
      this.forget(path, file);
      void closeUnread(file);
    }
  }

  private forget(path: string, file: OpenFile): void {
    file.isRemembered = false;
    if (this.files.get(path) === file) this.files.delete(path);
  }
}

function newFile(path: string): OpenFile {
  return { handle: open(path, constants.O_RDONLY), looked: null, readers: 0, isRemembered: true };
}

/** An open file could still be read, although its name is gone. */
class DeletedError extends Error {
  readonly code = 'ENOENT';
}

/** @throws DeletedError when its name is gone */
async function sizeOf(file: OpenFile): Promise<number> {
  const atMs = performance.now();
  if (file.looked !== null && atMs - file.looked.atMs < LOOK_MS) return file.looked.sizeBytes;
  const { size, nlink } = await (await file.handle).stat();
  if (nlink === 0) throw new DeletedError('The file was deleted.');
  file.looked = { sizeBytes: size, atMs };
  return size;
}

/** Closes a file without readers; its last reader closes it otherwise. A file that only was read loses nothing when that fails. */
async function closeUnread({ handle, readers }: OpenFile): Promise<void> {
  if (readers > 0) return;
  await handle.then((file) => file.close()).catch(() => undefined);
}

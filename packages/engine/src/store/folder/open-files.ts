import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** Files that stay open after they were read: those that a restore or an export is reading chunks of. */
const KEPT_MAX = 32;
/** Then they are closed, so that a disk can be taken away from a program that does nothing. */
const IDLE_MS = 10_000;

interface OpenFile {
  handle: Promise<FileHandle>;
  readers: number;
  isKept: boolean;
}

/**
 * Files of a store, open for reading. An object never changes, so a file that was opened once serves every further read of it: a mailbox
 * is read in many small pieces of few packs. What is not read any more is closed; an object that was deleted is forgotten.
 */
export class OpenFiles {
  /** In the order in which they were read last. */
  private readonly files = new Map<string, OpenFile>();
  private idle: NodeJS.Timeout | undefined;

  /** Gives the open file to `use`. @throws what opening throws, and `use` */
  async with<T>(path: string, use: (file: FileHandle) => Promise<T>): Promise<T> {
    const file = this.files.get(path) ?? { handle: open(path, constants.O_RDONLY), readers: 0, isKept: true };
    this.files.delete(path);
    this.files.set(path, file);
    file.readers += 1;
    clearTimeout(this.idle);
    try {
      return await use(await file.handle);
    } catch (error) {
      this.forget(path, file);
      throw error;
    } finally {
      file.readers -= 1;
      if (!file.isKept) await closeUnread(file);
      this.closeOldest(KEPT_MAX);
      this.idle = setTimeout(() => this.closeOldest(0), IDLE_MS).unref();
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
    await Promise.all([...this.files.keys()].map((path) => this.drop(path)));
  }

  private closeOldest(keptMax: number): void {
    for (const [path, file] of this.files) {
      if (this.files.size <= keptMax) return;
      if (file.readers > 0) continue;
      this.forget(path, file);
      void closeUnread(file);
    }
  }

  private forget(path: string, file: OpenFile): void {
    file.isKept = false;
    if (this.files.get(path) === file) this.files.delete(path);
  }
}

/** Closes a file that nobody reads; its last reader closes it otherwise. A file that only was read loses nothing when that fails. */
async function closeUnread({ handle, readers }: OpenFile): Promise<void> {
  if (readers > 0) return;
  await handle.then((file) => file.close()).catch(() => undefined);
}

import { constants, type Dirent } from 'node:fs';
import { type FileHandle, link, open, readdir, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { inOrder } from '../../model/in-order.ts';
import { checkObjectName, checkObjectPrefix, checkRange, isObjectName } from '../object-name.ts';
import { OBJECT_BYTES_MAX, type ObjectFacts, type ObjectStore, type OnForeign } from '../object-store.ts';
import { tooLong } from '../too-long.ts';
import { isCode, storeError } from './folder-errors.ts';
import { OpenFiles } from './open-files.ts';
import { StoreRoot } from './store-root.ts';
import { readExactly, syncFolder, writeSynced } from './synced-file.ts';
import { removeUnfinished, UNFINISHED_FOLDER, unfinishedPath } from './unfinished-files.ts';

/** How many files are asked for their size at a time: folders on the net answer late. */
const FACTS_AT_ONCE = 16;

/**
 * A store in a folder: an object is a file. It is written under another name, synced, and linked to its own: a link is made only where
 * nothing is, so of several writers one wins, and what has the name is whole.
 *
 * @param root the folder; made when it is not there
 * @throws `store-refused` when it cannot be entered
 */
export async function openFolderStore(root: string): Promise<ObjectStore> {
  const opened = await StoreRoot.open(root);
  await removeUnfinished(root).catch((error: unknown) => {
    throw storeError(error, root);
  });
  return new FolderStore(opened);
}

class FolderStore implements ObjectStore {
  readonly description: string;
  private readonly root: StoreRoot;
  private readonly files = new OpenFiles();

  constructor(root: StoreRoot) {
    this.root = root;
    this.description = `folder ${root.path}`;
  }

  async create(name: string, bytes: Uint8Array): Promise<boolean> {
    const path = this.pathOf(name);
    await this.root.check();
    try {
      return await this.writeLinked(name, path, bytes);
    } catch (error) {
      // Only a folder on the way can be missing: it was empty, and something removed it.
      if (!isCode(error, 'ENOENT')) throw storeError(error, path);
    }
    this.root.forgetFolders();
    await this.root.check();
    return this.writeLinked(name, path, bytes).catch((error: unknown) => {
      throw storeError(error, path);
    });
  }

  async read(name: string): Promise<Buffer> {
    const path = this.pathOf(name);
    return this.reading(path, async (file) => {
      const { size } = await file.stat();
      if (size > OBJECT_BYTES_MAX) throw tooLong(name);
      return readExactly(file, { name, sizeBytes: size, start: 0, length: size });
    });
  }

  async readRange(name: string, start: number, length: number): Promise<Buffer> {
    const path = this.pathOf(name);
    checkRange(name, start, length);
    // Only whether it is there: a file that stayed open for that would be read for a moment after it was deleted.
    if (length === 0) return this.reading(path, (file) => readNothing(file, name, start));
    return this.files
      .with(path, (file, sizeBytes) => readExactly(file, { name, sizeBytes, start, length }))
      .catch((error: unknown) => this.failReading(error, path));
  }

  async *list(prefix: string, onForeign: OnForeign = () => undefined): AsyncIterable<ObjectFacts> {
    checkObjectPrefix(prefix);
    await this.root.check();
    const names = this.namesIn(prefix.slice(0, prefix.lastIndexOf('/') + 1), prefix, onForeign);
    for await (const facts of inOrder(names, FACTS_AT_ONCE, (name) => this.factsOf(name)))
      if (facts !== null) yield facts;
    // What was missing on the way was missing because it was deleted, not because the disk went away.
    await this.root.check();
  }

  async delete(name: string): Promise<void> {
    const path = this.pathOf(name);
    await this.files.drop(path);
    try {
      await unlink(path);
      await this.removeEmpty(name);
    } catch (error) {
      if (!isCode(error, 'ENOENT')) throw storeError(error, path);
      await this.root.check();
    }
  }

  close(): Promise<void> {
    return this.files.close();
  }

  /** An empty folder would be read by each list for ever. Those at the top stay. Who writes into it meanwhile makes it again. */
  private async removeEmpty(name: string): Promise<void> {
    const folders = name.split('/').slice(0, -1);
    if (folders.length > 1) await rmdir(join(this.root.path, ...folders)).catch(() => undefined);
  }

  private pathOf(name: string): string {
    checkObjectName(name);
    return join(this.root.path, ...name.split('/'));
  }

  private async writeLinked(name: string, path: string, bytes: Uint8Array): Promise<boolean> {
    const unfinished = unfinishedPath(this.root.path);
    await this.root.makeFolder([UNFINISHED_FOLDER]);
    await this.root.makeFolder(name.split('/').slice(0, -1));
    try {
      await writeSynced(unfinished, bytes);
      const isFirst = await linkWhereNothingIs(unfinished, path);
      // Also for an object of another writer, who may not have come so far yet: `false` says that it is there to stay.
      await syncFolder(dirname(path));
      return isFirst;
    } finally {
      // What cannot be removed now is removed when the store is opened on another day.
      await rm(unfinished, { force: true }).catch(() => undefined);
    }
  }

  private async reading(path: string, read: (file: FileHandle) => Promise<Buffer>): Promise<Buffer> {
    let file: FileHandle | undefined;
    try {
      file = await open(path, constants.O_RDONLY);
      return await read(file);
    } catch (error) {
      return await this.failReading(error, path);
    } finally {
      await file?.close();
    }
  }

  /** Nothing is missing in a folder that is not the store. */
  private async failReading(error: unknown, path: string): Promise<never> {
    if (isCode(error, 'ENOENT')) await this.root.check();
    throw storeError(error, path);
  }

  /** @param folder with its slash, or empty: the part of names above the entries */
  private async *namesIn(folder: string, prefix: string, onForeign: OnForeign): AsyncGenerator<string> {
    for (const entry of await this.entriesOf(folder)) {
      const name = `${folder}${entry.name}`;
      const nested = `${name}/`;
      if (!isObjectName(entry.name)) onForeign(entry.isDirectory() ? nested : name);
      else if (entry.isDirectory() && (nested.startsWith(prefix) || prefix.startsWith(nested)))
        yield* this.namesIn(nested, prefix, onForeign);
      else if (entry.isFile() && name.startsWith(prefix)) yield name;
    }
  }

  /** In the order of the names they represent: that of a folder ends in a slash. */
  private async entriesOf(folder: string): Promise<Dirent[]> {
    const path = join(this.root.path, folder);
    const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
      if (isCode(error, 'ENOENT')) return [];
      throw storeError(error, path);
    });
    const keyOf = (entry: Dirent) => (entry.isDirectory() ? `${entry.name}/` : entry.name);
    return entries.sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  }

  /** Null for an object that was deleted while the list was read. */
  private async factsOf(name: string): Promise<ObjectFacts | null> {
    const path = join(this.root.path, name);
    const facts = await stat(path).catch((error: unknown) => {
      if (isCode(error, 'ENOENT')) return null;
      throw storeError(error, path);
    });
    return facts && { name, sizeBytes: facts.size, createdAt: facts.mtime };
  }
}

/** @throws `damaged` where the file ends before the start */
async function readNothing(file: FileHandle, name: string, start: number): Promise<Buffer> {
  return readExactly(file, { name, sizeBytes: (await file.stat()).size, start, length: 0 });
}

/** Of several writers of one path, exactly one gets `true`. */
async function linkWhereNothingIs(from: string, path: string): Promise<boolean> {
  try {
    await link(from, path);
    return true;
  } catch (error) {
    if (isCode(error, 'EEXIST')) return false;
    throw error;
  }
}

import { randomUUID } from 'node:crypto';
import { constants, type Dirent } from 'node:fs';
import { type FileHandle, link, mkdir, open, readdir, readFile, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EngineError } from '../../model/engine-error.ts';
import { checkObjectName } from '../object-name.ts';
import type { ObjectFacts, ObjectStore } from '../object-store.ts';
import { storeError } from './folder-errors.ts';

/** What is being written has this beginning, which no name of an object can have. */
const UNFINISHED = '.unfinished-';

/**
 * A store in a folder: an object is a file. It is written under another name, synced, and linked to its own: a link is made only where
 * nothing is, so of several writers one wins, and what has the name is whole.
 *
 * @param root the folder; made when it is not there
 * @throws `store-refused` when it cannot be written
 */
export async function openFolderStore(root: string): Promise<ObjectStore> {
  await mkdir(root, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw storeError(error, root);
  });
  return new FolderStore(root);
}

class FolderStore implements ObjectStore {
  readonly description: string;
  private readonly root: string;
  /** Folders that this program made or saw, so that each is made and synced once. */
  private readonly folders = new Set<string>();

  constructor(root: string) {
    this.root = root;
    this.description = `folder ${root}`;
  }

  async create(name: string, bytes: Uint8Array): Promise<boolean> {
    const path = this.pathOf(name);
    const folder = dirname(path);
    const unfinished = join(folder, `${UNFINISHED}${randomUUID()}`);
    try {
      await this.makeFolder(folder);
      await writeSynced(unfinished, bytes);
      await link(unfinished, path);
      await syncFolder(folder);
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw storeError(error, path);
    } finally {
      await rm(unfinished, { force: true }).catch(() => undefined);
    }
  }

  async read(name: string): Promise<Buffer> {
    const path = this.pathOf(name);
    return readFile(path).catch((error: unknown) => {
      throw storeError(error, path);
    });
  }

  async readRange(name: string, start: number, length: number): Promise<Buffer> {
    const path = this.pathOf(name);
    let file: FileHandle | undefined;
    try {
      file = await open(path, constants.O_RDONLY);
      return await readExactly(file, start, length, name);
    } catch (error) {
      throw storeError(error, path);
    } finally {
      await file?.close();
    }
  }

  async *list(prefix: string): AsyncIterable<ObjectFacts> {
    const whole = prefix.lastIndexOf('/') + 1;
    yield* this.listIn(prefix.slice(0, whole), prefix);
  }

  async delete(name: string): Promise<void> {
    const path = this.pathOf(name);
    await unlink(path).catch((error: unknown) => {
      if (codeOf(error) !== 'ENOENT') throw storeError(error, path);
    });
  }

  async close(): Promise<void> {}

  private pathOf(name: string): string {
    checkObjectName(name);
    return join(this.root, ...name.split('/'));
  }

  private async makeFolder(folder: string): Promise<void> {
    if (this.folders.has(folder)) return;
    const first = await mkdir(folder, { recursive: true, mode: 0o700 });
    // The entries of all folders from the first new one up have to survive a loss of power too.
    if (first !== undefined)
      for (let at = folder; at.length >= dirname(first).length; at = dirname(at)) await syncFolder(at);
    this.folders.add(folder);
  }

  /** @param folder with its slash, or empty: the part of names above the entries */
  private async *listIn(folder: string, prefix: string): AsyncIterable<ObjectFacts> {
    for (const entry of await this.entriesOf(folder)) {
      const name = `${folder}${entry.name}`;
      const nested = `${name}/`;
      if (entry.isDirectory() && (nested.startsWith(prefix) || prefix.startsWith(nested)))
        yield* this.listIn(nested, prefix);
      else if (entry.isFile() && name.startsWith(prefix)) yield* this.factsOf(name);
    }
  }

  /** In the order of the names they stand for: that of a folder ends in a slash. */
  private async entriesOf(folder: string): Promise<Dirent[]> {
    const path = join(this.root, folder);
    const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return [];
      throw storeError(error, path);
    });
    const keyOf = (entry: Dirent) => (entry.isDirectory() ? `${entry.name}/` : entry.name);
    return entries
      .filter((entry) => !entry.name.startsWith(UNFINISHED))
      .sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  }

  /** Nothing for an object that was deleted while the list was read. */
  private async *factsOf(name: string): AsyncIterable<ObjectFacts> {
    const facts = await stat(join(this.root, name)).catch((error: unknown) => {
      if (codeOf(error) === 'ENOENT') return null;
      throw storeError(error, name);
    });
    if (facts !== null) yield { name, sizeBytes: facts.size, createdAt: facts.mtime };
  }
}

async function writeSynced(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

async function readExactly(file: FileHandle, start: number, length: number, name: string): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(bytes, filled, length - filled, start + filled);
    if (bytesRead === 0) {
      const text = `The object ${name} ends after ${start + filled} bytes, where at least ${start + length} were expected. It was cut short: run a full verify to see what it held.`;
      throw new EngineError('damaged', text);
    }
    filled += bytesRead;
  }
  return bytes;
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

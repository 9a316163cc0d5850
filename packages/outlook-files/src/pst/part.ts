import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import type { FolderKind } from '../folder.ts';
import type { MapiMessage } from '../mapi/mapi-object.ts';
import { BLOCK_TREE, NODE_TREE, TreeWriter } from './btree.ts';
import { CONTAINER_CLASS, FolderNode } from './folder-node.ts';
import { fileHead } from './header.ts';
import { MOST_HEAP_BLOCKS } from './heap.ts';
import { writeMessage } from './message-node.ts';
import { NODE_TYPE } from './node-ids.ts';
import { MOST_NODES } from './node-store.ts';
import { PartFile } from './part-file.ts';
import { Store } from './store.ts';
import type { StoreFolders } from './store-nodes.ts';
import { createStoreFolders, writeStoreNodes } from './store-nodes.ts';

export interface PartOptions {
  displayName: string;
  deletedItemsName: string;
  isPermuted: boolean;
}

/** Bytes of the trees, tables and maps of a finished file, without its items: a node and its row, and the rest of a section. */
const BYTES_PER_ITEM = 1024;
const BYTES_PER_FILE = 1024 * 1024;
const NODES_PER_FOLDER = 4;
/** Room left for folders whose nodes are written at the end. */
const SPARE_NODES = 200_000;
const SPARE_HEAP_BLOCKS = 1_000;

/** A PST file that is being written, beside its final place. */
export class Part {
  readonly targetPath: string;
  readonly #options: PartOptions;
  readonly #store: Store;
  readonly #folders: StoreFolders;
  readonly #byPath = new Map<string, FolderNode>();
  itemCount = 0;

  private constructor(targetPath: string, store: Store, options: PartOptions) {
    this.targetPath = targetPath;
    this.#store = store;
    this.#options = options;
    this.#folders = createStoreFolders(options.deletedItemsName);
  }

  static async create(targetPath: string, options: PartOptions): Promise<Part> {
    const name = `.${basename(targetPath)}.${randomBytes(6).toString('hex')}.partial`;
    const file = await PartFile.create(join(dirname(targetPath), name));
    return new Part(targetPath, new Store(file, options.isPermuted, randomBytes(16)), options);
  }

  /** Where the file is until it is moved to its place. */
  get temporaryPath(): string {
    return this.#store.file.path;
  }

  /** How large the file would be if it were finished after an item of that many bytes. An estimate, rather too high. */
  bytesAfter(itemBytes: number): number {
    return this.#store.file.position + itemBytes + (this.itemCount + 1) * BYTES_PER_ITEM + BYTES_PER_FILE;
  }

  /** Whether the format has no room for another item in a folder. */
  isFull(path: readonly string[]): boolean {
    const folder = this.#byPath.get(folderKey(path));
    const nodes = this.#store.nodes.count + this.#byPath.size * NODES_PER_FOLDER;
    return nodes > MOST_NODES - SPARE_NODES || (folder?.heapBlockCount ?? 0) > MOST_HEAP_BLOCKS - SPARE_HEAP_BLOCKS;
  }

  /** The folder at a path, made with those above it where it is not there yet. */
  folder(path: readonly string[], kind: FolderKind): FolderNode {
    const key = folderKey(path);
    const known = this.#byPath.get(key);
    if (known) {
      return known;
    }
    const parent = path.length <= 1 ? this.#folders.top : this.folder(path.slice(0, -1), kind);
    const name = path[path.length - 1] ?? '';
    const folder =
      parent === this.#folders.top && name === this.#options.deletedItemsName
        ? this.#folders.deletedItems
        : this.#addFolder(parent, name, kind);
    this.#byPath.set(key, folder);
    return folder;
  }

  /** Writes an item. Where that fails nothing of it stays. */
  async add(folder: FolderNode, message: MapiMessage): Promise<void> {
    const { data, subnodes } = await this.#writeMessage(message);
    const id = this.#store.nodes.allocateId(NODE_TYPE.normalMessage);
    this.#store.nodes.add({ id, data, subnodes, parent: folder.nodeId });
    folder.contents(this.#store).addRow(id, message.properties);
    const flags = message.properties.get(0x0e07)?.number ?? 0;
    folder.unreadCount += flags & 1 ? 0 : 1;
    this.itemCount += 1;
    if (this.#store.file.isBehind) {
      await this.#store.file.drain();
    }
  }

  /** Writes folders, fixed nodes, trees, maps and at last the header. The file is whole after this, but not in its place yet. */
  async finish(): Promise<{ sizeBytes: number }> {
    const store = this.#store;
    writeStoreNodes(store, this.#folders, this.#options.displayName);
    const trees = new TreeWriter(store.file, 1);
    const nodeTree = await trees.write(NODE_TREE, store.nodes.entries());
    const blockTree = await trees.write(BLOCK_TREE, store.blocks.entries());
    const space = await store.file.finish();
    const head = fileHead({
      ...space,
      isPermuted: this.#options.isPermuted,
      nodeTree,
      blockTree,
      nextPageId: trees.nextPageId,
      nextBlockId: store.blocks.nextId,
      unique: store.lastRowVersion + 1,
      nextNodeIndexes: store.nodes.nextIndexes,
    });
    await store.file.close(head);
    return { sizeBytes: space.endPosition };
  }

  discard(): Promise<void> {
    return this.#store.file.discard();
  }

  async #writeMessage(message: MapiMessage) {
    const mark = this.#store.blocks.count;
    try {
      return await writeMessage(this.#store, message);
    } catch (error) {
      this.#store.blocks.drop(mark);
      throw error;
    }
  }

  #addFolder(parent: FolderNode, name: string, kind: FolderKind): FolderNode {
    const folder = new FolderNode(this.#store.nodes.allocateId(NODE_TYPE.normalFolder), name, CONTAINER_CLASS[kind]);
    parent.children.push(folder);
    return folder;
  }
}

/** Names may contain any character, so the key must not be a plain concatenation of them. */
function folderKey(path: readonly string[]): string {
  return JSON.stringify(path);
}

import { PAGE_BYTES, writePageTrailer } from './allocation-map.ts';
import type { BlockEntry } from './block-store.ts';
import type { NodeEntry } from './node-store.ts';
import type { PartFile } from './part-file.ts';
import { signature } from './signature.ts';

/** Where a page is, and its id. */
export interface PageReference {
  id: number;
  position: number;
}

const ENTRIES_BYTES = 488;
const INDEX_ENTRY_BYTES = 24;

interface Shape<T> {
  pageType: number;
  entryBytes: number;
  key(entry: T): number;
  write(view: DataView, at: number, entry: T): void;
}

export const BLOCK_TREE: Shape<BlockEntry> = {
  pageType: 0x80,
  entryBytes: 24,
  key: (entry) => entry.id,
  write: (view, at, entry) => {
    view.setUint32(at, entry.id, true);
    setPosition(view, at + 8, entry.position);
    view.setUint16(at + 16, entry.bytes, true);
    view.setUint16(at + 18, entry.references, true);
  },
};

export const NODE_TREE: Shape<NodeEntry> = {
  pageType: 0x81,
  entryBytes: 32,
  key: (entry) => entry.id,
  write: (view, at, entry) => {
    view.setUint32(at, entry.id, true);
    view.setUint32(at + 8, entry.data, true);
    view.setUint32(at + 16, entry.subnodes, true);
    view.setUint32(at + 24, entry.parent, true);
  },
};

const INDEX: Omit<Shape<{ key: number; page: PageReference }>, 'pageType'> = {
  entryBytes: INDEX_ENTRY_BYTES,
  key: (entry) => entry.key,
  write: (view, at, entry) => {
    view.setUint32(at, entry.key, true);
    view.setUint32(at + 8, entry.page.id, true);
    setPosition(view, at + 16, entry.page.position);
  },
};

/** A place in the file, as two halves: many times faster than a BigInt each. */
function setPosition(view: DataView, at: number, position: number): void {
  view.setUint32(at, position % 0x100000000, true);
  view.setUint32(at + 4, Math.floor(position / 0x100000000), true);
}

/** Writes the pages of B-trees, [MS-PST] 2.2.2.7.7, bottom up from entries that come in order. */
export class TreeWriter {
  readonly #file: PartFile;
  nextPageId: number;

  constructor(file: PartFile, firstPageId: number) {
    this.#file = file;
    this.nextPageId = firstPageId;
  }

  async write<T>(shape: Shape<T>, entries: Iterable<T>): Promise<PageReference> {
    let level = await this.#writeLevel(shape, 0, entries);
    for (let height = 1; level.length > 1; height += 1) {
      level = await this.#writeLevel({ ...INDEX, pageType: shape.pageType }, height, level);
    }
    return level[0]?.page ?? this.#writePage(shape, 0, []);
  }

  async #writeLevel<T>(shape: Shape<T>, height: number, entries: Iterable<T>) {
    const pages: { key: number; page: PageReference }[] = [];
    let batch: T[] = [];
    const most = Math.floor(ENTRIES_BYTES / shape.entryBytes);
    const flush = () => {
      const first = batch[0];
      if (first !== undefined) {
        pages.push({ key: shape.key(first), page: this.#writePage(shape, height, batch) });
        batch = [];
      }
    };
    for (const entry of entries) {
      batch.push(entry);
      if (batch.length === most) {
        flush();
        if (this.#file.isBehind) {
          await this.#file.drain();
        }
      }
    }
    flush();
    return pages;
  }

  #writePage<T>(shape: Shape<T>, height: number, entries: readonly T[]): PageReference {
    const { buffer, start, position } = this.#file.allocate(PAGE_BYTES, PAGE_BYTES);
    const page = buffer.subarray(start, start + PAGE_BYTES).fill(0);
    const view = new DataView(page.buffer, page.byteOffset, PAGE_BYTES);
    entries.forEach((entry, index) => {
      shape.write(view, index * shape.entryBytes, entry);
    });
    view.setUint8(ENTRIES_BYTES, entries.length);
    view.setUint8(ENTRIES_BYTES + 1, Math.floor(ENTRIES_BYTES / shape.entryBytes));
    view.setUint8(ENTRIES_BYTES + 2, shape.entryBytes);
    view.setUint8(ENTRIES_BYTES + 3, height);
    const id = this.nextPageId;
    this.nextPageId += 1;
    writePageTrailer(page, shape.pageType, signature(position, id), id);
    return { id, position };
  }
}

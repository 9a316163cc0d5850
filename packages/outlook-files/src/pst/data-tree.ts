import type { BlockId, BlockStore } from './block-store.ts';
import { BLOCK_BYTES } from './block-store.ts';

const HEADER_BYTES = 8;
const ENTRIES_PER_BLOCK = Math.floor((BLOCK_BYTES - HEADER_BYTES) / 8);
/** The trees store their length in 32 bits, and Outlook reads sizes as signed numbers. */
export const MOST_DATA_BYTES = 0x7fffffff;

const NOTHING = Buffer.alloc(0);
/** The memory of a finished tree, for the next one. */
let spare = NOTHING;

/** Bytes of any length as a tree of blocks, [MS-PST] 2.2.2.8.3: written while they come, at most one block in memory. */
export class DataTree {
  readonly #store: BlockStore;
  readonly #blocks: { id: BlockId; bytes: number }[] = [];
  #pending = NOTHING;
  #pendingBytes = 0;
  #bytes = 0;

  constructor(store: BlockStore) {
    this.#store = store;
  }

  get bytes(): number {
    return this.#bytes;
  }

  append(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    let from = 0;
    if (this.#pendingBytes > 0) {
      from = Math.min(chunk.length, BLOCK_BYTES - this.#pendingBytes);
      this.#pending.set(chunk.subarray(0, from), this.#pendingBytes);
      this.#pendingBytes += from;
      if (this.#pendingBytes < BLOCK_BYTES) {
        return;
      }
      this.#flush();
    }
    for (; chunk.length - from >= BLOCK_BYTES; from += BLOCK_BYTES) {
      this.#blocks.push({ id: this.#store.writeData(chunk.subarray(from, from + BLOCK_BYTES)), bytes: BLOCK_BYTES });
    }
    this.#pendingBytes = chunk.length - from;
    if (this.#pendingBytes > 0) {
      this.#takeMemory();
      this.#pending.set(chunk.subarray(from));
    }
  }

  /** Writes what is left, and the blocks above. Returns the root, 0 where there was nothing to write. */
  finish(): BlockId {
    if (this.#pendingBytes > 0) {
      this.#flush();
    }
    if (this.#pending.length > 0) {
      spare = this.#pending;
      this.#pending = NOTHING;
    }
    return writeTree(this.#store, this.#blocks);
  }

  #takeMemory(): void {
    if (this.#pending.length === 0) {
      this.#pending = spare.length > 0 ? spare : Buffer.allocUnsafeSlow(BLOCK_BYTES);
      spare = NOTHING;
    }
  }

  #flush(): void {
    const id = this.#store.writeData(this.#pending.subarray(0, this.#pendingBytes));
    this.#blocks.push({ id, bytes: this.#pendingBytes });
    this.#pendingBytes = 0;
  }
}

/** Writes bytes that are at hand. */
export function writeData(store: BlockStore, bytes: Uint8Array): BlockId {
  if (bytes.length === 0) {
    return 0;
  }
  if (bytes.length <= BLOCK_BYTES) {
    return store.writeData(bytes);
  }
  const tree = new DataTree(store);
  tree.append(bytes);
  return tree.finish();
}

/** Writes the index above data blocks: nothing for a single one, else an XBLOCK, else an XXBLOCK over XBLOCKs. */
export function writeTree(store: BlockStore, blocks: readonly { id: BlockId; bytes: number }[]): BlockId {
  let level = blocks;
  for (let height = 1; level.length > 1; height += 1) {
    if (height > 2) {
      throw new RangeError('The data is larger than a PST node can hold (8.5 GB).');
    }
    const above: { id: BlockId; bytes: number }[] = [];
    for (let from = 0; from < level.length; from += ENTRIES_PER_BLOCK) {
      above.push(writeIndexBlock(store, level.slice(from, from + ENTRIES_PER_BLOCK), height));
    }
    level = above;
  }
  return level[0]?.id ?? 0;
}

function writeIndexBlock(store: BlockStore, entries: readonly { id: BlockId; bytes: number }[], height: number) {
  const block = Buffer.alloc(HEADER_BYTES + entries.length * 8);
  const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
  block.writeUInt8(1, 0);
  block.writeUInt8(height, 1);
  block.writeUInt16LE(entries.length, 2);
  block.writeUInt32LE(bytes, 4);
  entries.forEach((entry, index) => {
    block.writeUInt32LE(entry.id, HEADER_BYTES + index * 8);
  });
  return { id: store.writeInternal(block), bytes };
}

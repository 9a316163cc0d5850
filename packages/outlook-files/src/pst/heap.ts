import type { BlockId, BlockStore } from './block-store.ts';
import { BLOCK_BYTES } from './block-store.ts';
import { writeTree } from './data-tree.ts';

/** Id of an allocation in a heap, [MS-PST] 2.3.1.1: block, and number in it from 1, shifted past the five type bits. */
export type HeapId = number;

/** Most bytes of one allocation; anything larger becomes a subnode. */
export const ALLOCATION_BYTES = 3580;
export const HEAP_OF = { properties: 0xbc, table: 0x7c } as const;

/** Memory of a block to begin with: most objects are small. */
const FIRST_BYTES = 1_024;
const FIRST_HEADER_BYTES = 12;
const HEADER_BYTES = 2;
const BITMAP_HEADER_BYTES = 66;
const FIRST_BITMAP_BLOCK = 8;
const BLOCKS_PER_BITMAP = 128;
const MOST_ALLOCATIONS = 2047;
/** The block's number has 16 bits in an id. */
export const MOST_HEAP_BLOCKS = 0xffff;

/** Lower bounds of free bytes a block must have for each fill level, [MS-PST] 2.3.1.2. */
const FILL_LEVELS = [3584, 2560, 2048, 1792, 1536, 1280, 1024, 768, 512, 256, 128, 64, 32, 16, 8];

function fillLevel(freeBytes: number): number {
  const level = FILL_LEVELS.findIndex((bound) => freeBytes >= bound);
  return level < 0 ? FILL_LEVELS.length : level;
}

function headerBytes(block: number): number {
  if (block === 0) {
    return FIRST_HEADER_BYTES;
  }
  return block % BLOCKS_PER_BITMAP === FIRST_BITMAP_BLOCK ? BITMAP_HEADER_BYTES : HEADER_BYTES;
}

/** Memory of written blocks, for the next ones. */
const spare: Buffer[] = [];
const MOST_SPARE = 4;

/** A block that is being filled. */
class HeapBlock {
  readonly number: number;
  /** Not cleared when made: all but the header is written over. */
  bytes = spare.pop() ?? Buffer.allocUnsafe(FIRST_BYTES);
  end: number;
  readonly starts: number[] = [];

  constructor(number: number) {
    this.number = number;
    this.end = headerBytes(number);
    this.bytes.fill(0, 0, this.end);
  }

  get freeBytes(): number {
    return BLOCK_BYTES - this.end - 1 - 4 - 2 * (this.starts.length + 1);
  }

  hasRoom(length: number): boolean {
    return this.freeBytes - 2 >= length && this.starts.length < MOST_ALLOCATIONS;
  }

  add(data: Uint8Array): HeapId {
    this.#growTo(this.end + data.length);
    this.bytes.set(data, this.end);
    this.starts.push(this.end);
    this.end += data.length;
    return ((this.number * 0x10000 + (this.starts.length << 5)) >>> 0) as HeapId;
  }

  /**
   * The block with its page map: where each allocation starts, and where the last one ends.
   * @param isLast any other is padded, as all blocks of a data tree but the last are full: [MS-PST] 2.2.2.8.3.2
   */
  seal(isLast: boolean): Buffer {
    const mapStart = (this.end + 1) & ~1; // at an even place
    const mapEnd = mapStart + 4 + 2 * (this.starts.length + 1);
    const total = isLast ? mapEnd : BLOCK_BYTES;
    this.#growTo(total);
    const { bytes } = this;
    bytes.fill(0, this.end, mapStart);
    bytes.writeUInt16LE(mapStart, 0);
    bytes.writeUInt16LE(this.starts.length, mapStart);
    bytes.writeUInt16LE(0, mapStart + 2); // none of them is free
    let at = mapStart + 4;
    for (const start of this.starts) {
      bytes.writeUInt16LE(start, at);
      at += 2;
    }
    bytes.writeUInt16LE(this.end, at);
    bytes.fill(0, mapEnd, total);
    return bytes.subarray(0, total);
  }

  /** Leaves the memory to the next block; this one is over. */
  giveBack(): void {
    if (spare.length < MOST_SPARE) {
      spare.push(this.bytes);
    }
  }

  #growTo(length: number): void {
    if (length > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.min(BLOCK_BYTES, Math.max(this.bytes.length * 2, length)));
      this.bytes.copy(larger, 0, 0, this.end);
      this.bytes = larger;
    }
  }
}

/**
 * A heap on a node, [MS-PST] 2.3.1: many small allocations in as many blocks as they need. Blocks go to the file as they fill;
 * only those that describe others stay in memory until the end.
 */
export class Heap {
  readonly #store: BlockStore;
  readonly #signature: number;
  readonly #written: { id: BlockId; bytes: number }[] = [];
  readonly #levels: number[] = [];
  readonly #pending: HeapBlock[] = [];
  #current = new HeapBlock(0);
  #last: HeapBlock | undefined;

  /** @param signature one of `HEAP_OF` */
  constructor(store: BlockStore, signature: number) {
    this.#store = store;
    this.#signature = signature;
  }

  get blockCount(): number {
    return this.#current.number + 1;
  }

  /** @param data 1 to `ALLOCATION_BYTES` bytes; copied */
  add(data: Uint8Array): HeapId {
    if (!this.#current.hasRoom(data.length)) {
      this.#next();
    }
    return this.#current.add(data);
  }

  /** Overwrites what was allocated first, whose content was not known then. */
  patchFirst(offset: number, data: Uint8Array): void {
    (this.#pending[0] ?? this.#current).bytes.set(data, FIRST_HEADER_BYTES + offset);
  }

  /** Writes what is left. Returns the node's data. */
  finish(root: HeapId): BlockId {
    this.#last = this.#current;
    this.#close(this.#current);
    for (const block of this.#pending) {
      this.#describe(block, root);
      this.#writeBlock(block);
    }
    return writeTree(this.#store, this.#written);
  }

  #next(): void {
    const number = this.#current.number + 1;
    if (number > MOST_HEAP_BLOCKS) {
      throw new RangeError('A table is larger than a PST can hold (65,536 blocks); write smaller parts.');
    }
    this.#close(this.#current);
    this.#current = new HeapBlock(number);
  }

  #close(block: HeapBlock): void {
    this.#levels.push(fillLevel(block.freeBytes));
    if (headerBytes(block.number) === HEADER_BYTES) {
      this.#writeBlock(block);
    } else {
      this.#pending.push(block);
    }
  }

  #writeBlock(block: HeapBlock): void {
    const sealed = block.seal(block === this.#last);
    this.#written[block.number] = { id: this.#store.writeData(sealed), bytes: sealed.length };
    block.giveBack();
  }

  /** Fills the header of a block that records how full others are. */
  #describe(block: HeapBlock, root: HeapId): void {
    const isFirst = block.number === 0;
    if (isFirst) {
      block.bytes.writeUInt8(0xec, 2);
      block.bytes.writeUInt8(this.#signature, 3);
      block.bytes.writeUInt32LE(root, 4);
    }
    const levels = this.#levels.slice(block.number, block.number + (isFirst ? FIRST_BITMAP_BLOCK : BLOCKS_PER_BITMAP));
    levels.forEach((level, index) => {
      const at = (isFirst ? 8 : 2) + (index >>> 1);
      block.bytes.writeUInt8(block.bytes.readUInt8(at) | (level << ((index & 1) * 4)), at);
    });
  }
}

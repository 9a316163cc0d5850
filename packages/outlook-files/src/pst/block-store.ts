import { outlookCrc } from '../crc.ts';
import { SLOT_BYTES } from './allocation-map.ts';
import { GrowingArray } from './growing-array.ts';
import type { PartFile } from './part-file.ts';
import { permuteInPlace } from './permute.ts';
import { signature } from './signature.ts';

/** Id of a block, [MS-PST] 2.2.2.2: a running number times four, plus 2 for blocks that contain structure. 0: no block.
 * Written as 64 bits of which 32 are used: a file with more blocks would have 8 TiB. */
export type BlockId = number;

/** Most bytes a block can carry. */
export const BLOCK_BYTES = 8176;
const TRAILER_BYTES = 16;
const INTERNAL = 2;
/** A block that one node or tree refers to counts as 2: the reference, and the block tree itself. [MS-PST] 2.2.2.7.7.3.1. */
const REFERENCES = 2;

export interface BlockEntry {
  id: BlockId;
  position: number;
  bytes: number;
  references: number;
}

/** Writes blocks and remembers, in a dozen bytes each, where they are. */
export class BlockStore {
  readonly file: PartFile;
  readonly #isPermuted: boolean;
  readonly #slots = new GrowingArray((length) => new Uint32Array(length));
  readonly #sizes = new GrowingArray((length) => new Uint16Array(length));
  /** References, and in the highest bit whether it is an internal block. 0 references: dropped. */
  readonly #references = new GrowingArray((length) => new Uint8Array(length));

  constructor(file: PartFile, isPermuted: boolean) {
    this.file = file;
    this.#isPermuted = isPermuted;
  }

  /** How many blocks there are: a mark to `drop` back to. */
  get count(): number {
    return this.#slots.length;
  }

  get nextId(): BlockId {
    return (this.count + 1) * 4;
  }

  /** @param bytes at most `BLOCK_BYTES` */
  writeData(bytes: Uint8Array): BlockId {
    return this.#write(bytes, false);
  }

  /** A block of structure: never encoded. */
  writeInternal(bytes: Uint8Array): BlockId {
    return this.#write(bytes, true);
  }

  /** Counts one more reference to a block that several nodes share. */
  share(id: BlockId): BlockId {
    const index = (id >>> 2) - 1;
    this.#references.set(index, this.#references.at(index) + 1);
    return id;
  }

  /** Forgets all blocks from number `count` on and frees their space. */
  drop(count: number): void {
    for (let index = count; index < this.count; index += 1) {
      if (this.#references.at(index) !== 0) {
        this.#references.set(index, 0);
        this.file.free(this.#slots.at(index) * SLOT_BYTES, this.#sizes.at(index) + TRAILER_BYTES);
      }
    }
  }

  /** All blocks in the order of their ids. */
  *entries(): Generator<BlockEntry> {
    for (let index = 0; index < this.count; index += 1) {
      const references = this.#references.at(index);
      if (references !== 0) {
        yield {
          id: (index + 1) * 4 + (references & 0x80 ? INTERNAL : 0),
          position: this.#slots.at(index) * SLOT_BYTES,
          bytes: this.#sizes.at(index),
          references: references & 0x7f,
        };
      }
    }
  }

  #write(bytes: Uint8Array, isInternal: boolean): BlockId {
    const length = bytes.length;
    const total = Math.ceil((length + TRAILER_BYTES) / SLOT_BYTES) * SLOT_BYTES;
    const { buffer, view, start, position } = this.file.allocate(total, SLOT_BYTES);
    const id = this.nextId + (isInternal ? INTERNAL : 0);
    buffer.set(bytes, start);
    if (this.#isPermuted && !isInternal) {
      permuteInPlace(buffer, start, length);
    }
    buffer.fill(0, start + length, start + total - TRAILER_BYTES);
    const trailer = start + total - TRAILER_BYTES;
    view.setUint16(trailer, length, true);
    view.setUint16(trailer + 2, signature(position, id), true);
    view.setUint32(trailer + 4, outlookCrc(buffer.subarray(start, start + length)), true);
    view.setUint32(trailer + 8, id, true);
    view.setUint32(trailer + 12, 0, true);
    this.#slots.push(position / SLOT_BYTES);
    this.#sizes.push(length);
    this.#references.push(REFERENCES | (isInternal ? 0x80 : 0));
    return id;
  }
}

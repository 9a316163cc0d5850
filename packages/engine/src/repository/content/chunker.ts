import { createCipheriv } from 'node:crypto';
import type { ChunkSizes } from '../identity.ts';

/** A byte further back has been shifted out of the hash. */
const HASH_BYTES = 32;

/** Finds where a long run of bytes is cut (format, 5): the same bytes are cut alike wherever they are. */
export class Chunker {
  private readonly gear: Int32Array;
  private readonly sizes: ChunkSizes;
  /** Before the average is reached more bits have to be zero, after it fewer: sizes are close around it. */
  private readonly strictMask: number;
  private readonly looseMask: number;

  constructor(key: Buffer, sizes: ChunkSizes) {
    this.gear = gearOf(key);
    this.sizes = sizes;
    const bits = Math.log2(sizes.averageBytes);
    this.strictMask = upperBits(bits + 2);
    this.looseMask = upperBits(bits - 2);
  }

  /**
   * The length of the first chunk of `bytes`; 0 when it takes more bytes to decide. With `isLast` the rest is a chunk, however small.
   * @param seen how many of the bytes were there the time before, when more were needed: no byte is looked at twice
   */
  cut(bytes: Uint8Array, isLast: boolean, seen = 0): number {
    const { minBytes, averageBytes, maxBytes } = this.sizes;
    const length = bytes.length;
    if (length <= minBytes) return isLast ? length : 0;
    const end = Math.min(length, maxBytes);
    const average = Math.min(end, averageBytes);
    const strict = this.cutBetween(bytes, Math.max(minBytes, seen), average, this.strictMask);
    if (strict !== 0) return strict;
    const loose = this.cutBetween(bytes, Math.max(average, seen), end, this.looseMask);
    if (loose !== 0) return loose;
    return end === maxBytes || isLast ? end : 0;
  }

  /**
   * The first place behind a byte from `start` on, up to `end`, where all bits of the mask are zero; 0 when there is none. Four bytes a
   * round: that takes half the time.
   */
  private cutBetween(bytes: Uint8Array, start: number, end: number, mask: number): number {
    if (start >= end) return 0;
    const { gear } = this;
    let at = Math.max(this.sizes.minBytes, start - HASH_BYTES);
    let hash = 0;
    for (; at < start; at += 1) hash = rolled(hash, gear, bytes, at);
    for (const last = end - 4; at <= last; at += 4) {
      const first = rolled(hash, gear, bytes, at);
      const second = rolled(first, gear, bytes, at + 1);
      const third = rolled(second, gear, bytes, at + 2);
      hash = rolled(third, gear, bytes, at + 3);
      if ((first & mask) === 0) return at + 1;
      if ((second & mask) === 0) return at + 2;
      if ((third & mask) === 0) return at + 3;
      if ((hash & mask) === 0) return at + 4;
    }
    for (; at < end; at += 1) {
      hash = rolled(hash, gear, bytes, at);
      if ((hash & mask) === 0) return at + 1;
    }
    return 0;
  }
}

function rolled(hash: number, gear: Int32Array, bytes: Uint8Array, at: number): number {
  return ((hash << 1) + (gear[bytes[at] ?? 0] ?? 0)) | 0;
}

function upperBits(count: number): number {
  return count >= 32 ? -1 : (-1 << (32 - count)) | 0;
}

function gearOf(key: Buffer): Int32Array {
  const stream = createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(1_024));
  return Int32Array.from({ length: 256 }, (_, index) => stream.readInt32LE(index * 4));
}

import { createCipheriv } from 'node:crypto';
import type { ChunkSizes } from './identity.ts';

/** Finds where a long run of bytes is cut (format, 5): the same bytes are cut alike wherever they stand. */
export class Chunker {
  private readonly gear: Int32Array;
  private readonly sizes: ChunkSizes;
  /** Before the average is reached more bits have to be zero, after it fewer: sizes lie close around it. */
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
   * The length of the first chunk of `bytes`; 0 when more bytes are needed to tell. With `isLast` the rest is a chunk, however small.
   */
  cut(bytes: Uint8Array, isLast: boolean): number {
    const { minBytes, averageBytes, maxBytes } = this.sizes;
    const length = bytes.length;
    if (length <= minBytes) return isLast ? length : 0;
    const end = Math.min(length, maxBytes);
    // Not asked of `this` for every byte: here most of the time of cutting went.
    const { gear, strictMask, looseMask } = this;
    let hash = 0;
    let at = minBytes;
    for (const stop = Math.min(end, averageBytes); at < stop; at += 1) {
      hash = ((hash << 1) + (gear[bytes[at] ?? 0] ?? 0)) | 0;
      if ((hash & strictMask) === 0) return at + 1;
    }
    for (; at < end; at += 1) {
      hash = ((hash << 1) + (gear[bytes[at] ?? 0] ?? 0)) | 0;
      if ((hash & looseMask) === 0) return at + 1;
    }
    return end === maxBytes || isLast ? end : 0;
  }
}

function upperBits(count: number): number {
  return count >= 32 ? -1 : (-1 << (32 - count)) | 0;
}

function gearOf(key: Buffer): Int32Array {
  const stream = createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(1_024));
  return Int32Array.from({ length: 256 }, (_, index) => stream.readInt32LE(index * 4));
}

import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { mix } from '../../../world/random.ts';
import type { Content } from './content.ts';
import { QuickXorHash } from './quick-xor-hash.ts';

/**
 * Bytes of a block: an even number of the 160-byte periods of QuickXorHash. So the mask of a block cancels out in the
 * hash, and the hash of any number of whole blocks is known without making them.
 */
const blockSize = 160 * 6554;
const wordsPerBlock = blockSize / 4;
const sha256Limit = 1 << 16;

/**
 * A content whose bytes are a pure function of seed and offset, and never in memory as a whole. Each block is the first
 * block under another mask, so that no two blocks are alike and nothing can be saved by finding duplicates.
 */
export function generatedContent(seed: number, size: number): Content {
  let quickXorHash: string | undefined;
  let sha256Hash: string | undefined;
  // Hashes are made when asked for: most files of a large tenant are never looked at.
  return {
    size,
    get quickXorHash() {
      quickXorHash ??= hashOf(seed, size);
      return quickXorHash;
    },
    get sha256Hash() {
      if (size <= sha256Limit) sha256Hash ??= sha256Of(seed, size);
      return sha256Hash;
    },
    open: (start, end) => Readable.from(generatedBytes(seed, start, Math.min(end, size)), { objectMode: false }),
  };
}

/** The bytes from `start` up to but not including `end`, a block at a time. */
export function* generatedBytes(seed: number, start: number, end: number): Generator<Buffer> {
  // A range within one block needs only the words it is made of.
  const needed = end <= blockSize ? Math.ceil(end / 4) : wordsPerBlock;
  const first = firstBlock(seed, needed);
  for (let offset = start; offset < end; ) {
    const block = Math.floor(offset / blockSize);
    const blockStart = block * blockSize;
    const blockEnd = Math.min(end, blockStart + blockSize);
    yield masked(seed, first, block).subarray(offset - blockStart, blockEnd - blockStart);
    offset = blockEnd;
  }
}

function firstBlock(seed: number, words: number): Uint32Array {
  const block = new Uint32Array(words);
  for (let index = 0; index < words; index += 1) block[index] = wordAt(seed, index);
  return block;
}

/** One word of the first block: a mix as good as any (the finalizer of MurmurHash3), written out for its speed. */
function wordAt(seed: number, index: number): number {
  let hash = Math.imul(seed ^ Math.imul(index + 1, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}

function masked(seed: number, first: Uint32Array, block: number): Buffer {
  const mask = block === 0 ? 0 : mix(seed, block, 0x6d61736b);
  const words = new Uint32Array(first.length);
  for (let index = 0; index < words.length; index += 1) words[index] = (first[index] ?? 0) ^ mask;
  return Buffer.from(words.buffer);
}

function hashOf(seed: number, size: number): string {
  const wholeBlocks = Math.floor(size / blockSize);
  const hash = new QuickXorHash();
  // Two whole blocks cancel out each other.
  if (wholeBlocks % 2 === 1) for (const bytes of generatedBytes(seed, 0, blockSize)) hash.update(bytes);
  hash.skip((wholeBlocks - (wholeBlocks % 2)) * blockSize);
  for (const bytes of generatedBytes(seed, wholeBlocks * blockSize, size)) hash.update(bytes);
  return hash.digest();
}

function sha256Of(seed: number, size: number): string {
  const hash = createHash('sha256');
  for (const bytes of generatedBytes(seed, 0, size)) hash.update(bytes);
  return hash.digest('hex').toUpperCase();
}

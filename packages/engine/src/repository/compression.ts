import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { release } from './release.ts';

/** Of small chunks this level makes frames of the same size as the usual level 3, in two thirds of its time. */
const SMALL_LEVEL = 1;
const SMALL_BYTES_MAX = 16_384;
/** Takes three quarters of the time that level 3 takes, for frames that are 0 to 3 % larger; level 1 saves more, but loses 15 % of text. */
const LEVEL = 2;
/** Smaller ones do not shrink by more than a frame costs. */
const PLAIN_BYTES_MIN = 64;
const SAMPLE_BYTES = 16_384;

export interface Compressed {
  bytes: Uint8Array;
  isCompressed: boolean;
}

/** The zstd frame of a chunk where that is smaller, else the chunk. Pictures, films and archives are recognized by a sample. */
export function compressChunk(plain: Buffer): Compressed {
  if (plain.length < PLAIN_BYTES_MIN || isDense(plain)) return { bytes: plain, isCompressed: false };
  const frame = compressed(plain);
  if (frame.length < plain.length) return { bytes: frame, isCompressed: true };
  release(frame);
  return { bytes: plain, isCompressed: false };
}

/** Whether a piece out of the middle of a large chunk hardly shrinks. */
function isDense(plain: Buffer): boolean {
  if (plain.length < 4 * SAMPLE_BYTES) return false;
  const middle = (plain.length - SAMPLE_BYTES) >> 1;
  return compressed(plain.subarray(middle, middle + SAMPLE_BYTES)).length > SAMPLE_BYTES * 0.95;
}

/** The frame comes in one piece: there is room for the largest that zstd makes of so many bytes. */
function compressed(plain: Buffer): Buffer {
  const level = plain.length <= SMALL_BYTES_MAX ? SMALL_LEVEL : LEVEL;
  return zstdCompressSync(plain, {
    chunkSize: plain.length + (plain.length >> 8) + 128,
    params: { [constants.ZSTD_c_compressionLevel]: level },
  });
}

/**
 * @param bytesUsual for so many there is room at once: it comes in one piece
 * @returns `null` for what is no frame of at most that many bytes
 */
export function decompressed(frame: Buffer, bytesMax: number, bytesUsual = bytesMax): Buffer | null {
  try {
    return zstdDecompressSync(frame, {
      maxOutputLength: Math.max(1, bytesMax),
      chunkSize: Math.max(64, bytesUsual + 1),
    });
  } catch {
    return null;
  }
}

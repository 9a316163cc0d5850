import type { IMAGE_TYPES } from '@keepwatch/contract/branding/brands';

/** What the first bytes of a file say about the image that it is. */
export interface ImageFormat {
  type: (typeof IMAGE_TYPES)[number];
  /** In pixels. */
  width: number;
  height: number;
}

/** Recognises an image by its bytes, whatever it is called; `null` for what is none, and for one that is cut off before its size. */
export function imageFormatOf(bytes: Buffer): ImageFormat | null {
  try {
    return pngOf(bytes) ?? gifOf(bytes) ?? webpOf(bytes) ?? jpegOf(bytes);
  } catch (error) {
    // A field of the header is past the end.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const PNG = '\x89PNG\r\n\x1a\n';

function pngOf(bytes: Buffer): ImageFormat | null {
  if (textAt(bytes, 0, 8) !== PNG || textAt(bytes, 12, 4) !== 'IHDR') return null;
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function gifOf(bytes: Buffer): ImageFormat | null {
  if (!/^GIF8[79]a$/.test(textAt(bytes, 0, 6))) return null;
  return { type: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

function webpOf(bytes: Buffer): ImageFormat | null {
  if (textAt(bytes, 0, 4) !== 'RIFF' || textAt(bytes, 8, 4) !== 'WEBP') return null;
  const size = webpSizeOf(bytes);
  return size === null ? null : { type: 'image/webp', ...size };
}

/** Of each of the three forms that the first chunk has: lossy, lossless, extended. */
function webpSizeOf(bytes: Buffer): Pick<ImageFormat, 'width' | 'height'> | null {
  const chunk = textAt(bytes, 12, 4);
  if (chunk === 'VP8 ') return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
  if (chunk === 'VP8X') return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
  if (chunk !== 'VP8L') return null;
  const bits = bytes.readUInt32LE(21);
  return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
}

/** Segments that begin a frame, and so have its size: C0 to CF without tables (C4, CC) and what is reserved (C8). */
const FRAMES = new Set([0xc0, 0xc1, 0xc2, 0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]);

function jpegOf(bytes: Buffer): ImageFormat | null {
  if (bytes.readUInt16BE(0) !== 0xffd8) return null;
  let at = 2;
  while (bytes.readUInt8(at) === 0xff) {
    const marker = bytes.readUInt8(at + 1);
    if (FRAMES.has(marker))
      return { type: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    // Any number of FF may be before a marker.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return null;
}

function textAt(bytes: Buffer, at: number, length: number): string {
  return bytes.toString('latin1', at, at + length);
}

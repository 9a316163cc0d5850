import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { imageFormatOf } from './image-format.ts';

const bytesOf = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))));

const JPEG_TABLE = [0xff, 0xdb, 0x00, 0x04, 0x01, 0x02];
const JPEG_FRAME = [0xff, 0xc2, 0x00, 0x11, 0x08, 0x00, 0x20, 0x01, 0x40];

const IMAGES = {
  png: bytesOf('\x89PNG\r\n\x1a\n', [0, 0, 0, 13], 'IHDR', [0, 0, 1, 0x40, 0, 0, 0, 0x20]),
  gif: bytesOf('GIF89a', [0x40, 0x01, 0x20, 0x00]),
  jpeg: bytesOf([0xff, 0xd8], JPEG_TABLE, [0xff], JPEG_FRAME),
  'lossy webp': bytesOf('RIFF', [0, 0, 0, 0], 'WEBPVP8 ', new Array(10).fill(0), [0x40, 0x01, 0x20, 0x00]),
  'lossless webp': bytesOf('RIFF', [0, 0, 0, 0], 'WEBPVP8L', [0, 0, 0, 0, 0x2f, 0x3f, 0xc1, 0x07, 0x00]),
  'extended webp': bytesOf('RIFF', [0, 0, 0, 0], 'WEBPVP8X', new Array(8).fill(0), [0x3f, 0x01, 0, 0x1f, 0, 0]),
} as const;

describe('an image', () => {
  it.each(Object.entries(IMAGES))('%s is recognised by its bytes, with its size', (name, bytes) => {
    const type = `image/${name.split(' ').at(-1)}`;
    expect(imageFormatOf(bytes)).toEqual({ type, width: 320, height: 32 });
  });

  it.each(Object.entries(IMAGES))('%s that is cut off is none', (_name, bytes) => {
    for (let length = 0; length < bytes.length; length += 1)
      expect(imageFormatOf(bytes.subarray(0, length))).toBeNull();
  });

  it('is not what only looks like the beginning of one, whatever follows', () => {
    const beginning = fc.constantFrom(...Object.values(IMAGES)).map((bytes) => bytes.subarray(0, 4));
    fc.assert(
      fc.property(beginning, fc.uint8Array({ maxLength: 60 }), (start, rest) => {
        expect(() => imageFormatOf(Buffer.concat([start, rest]))).not.toThrow();
      }),
    );
    expect(
      imageFormatOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')),
    ).toBeNull();
  });
});

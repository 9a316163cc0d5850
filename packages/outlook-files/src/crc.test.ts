import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outlookCrc } from './crc.ts';

/** The checksum as the specification describes it, bit by bit. */
function bitByBit(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
    }
  }
  return crc >>> 0;
}

describe('the checksum of blocks and pages', () => {
  it('is the one of the specification, for any bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => outlookCrc(bytes) === bitByBit(bytes)));
  });

  it('gives the known value for the usual check string', () => {
    expect(outlookCrc(Buffer.from('123456789'))).toBe(0x2dfd2d88);
  });
});

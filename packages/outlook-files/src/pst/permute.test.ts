import { describe, expect, it } from 'vitest';
import { permuteInPlace } from './permute.ts';

describe('the encoding of data blocks', () => {
  it('replaces each byte by the one of the specification, odd lengths included', () => {
    const buffer = new Uint8Array(12).fill(0xee);
    buffer.set([0, 1, 2, 255, 71, 0, 1], 4);
    permuteInPlace(buffer, 4, 7);
    expect([...buffer]).toEqual([0xee, 0xee, 0xee, 0xee, 65, 54, 19, 61, 0, 65, 54, 0xee]);
  });

  it('loses nothing: every byte has another one of its own', () => {
    const buffer = Uint8Array.from({ length: 256 }, (_, index) => index);
    permuteInPlace(buffer, 0, 256);
    expect(new Set(buffer).size).toBe(256);
  });
});

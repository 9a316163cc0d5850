import { describe, expect, it } from 'vitest';
import { permuteInPlace } from './permute.ts';

describe('the encoding of data blocks', () => {
  it('replaces each byte by the one of the specification, odd lengths included', () => {
    const buffer = Buffer.alloc(8, 0xee);
    Buffer.from([0, 1, 2, 255, 71]).copy(buffer, 2);
    permuteInPlace(buffer, 2, 5);
    expect([...buffer]).toEqual([0xee, 0xee, 65, 54, 19, 61, 0, 0xee]);
  });

  it('loses nothing: every byte has another one of its own', () => {
    const buffer = Buffer.from(Uint8Array.from({ length: 256 }, (_, index) => index));
    permuteInPlace(buffer, 0, 256);
    expect(new Set(buffer).size).toBe(256);
  });
});

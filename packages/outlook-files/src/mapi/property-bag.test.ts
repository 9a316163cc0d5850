import { describe, expect, it } from 'vitest';
import { PropertyBag } from './property-bag.ts';

describe('a bag of properties', () => {
  it('sets nothing for undefined', () => {
    const bag = new PropertyBag()
      .text(1, undefined)
      .text(2, '')
      .texts(3, [])
      .integer(4, undefined)
      .short(5, undefined)
      .floating(6, undefined)
      .flag(7, undefined)
      .time(8, undefined)
      .time(9, new Date(Number.NaN))
      .binary(10, new Uint8Array(0));
    expect(bag.size).toBe(0);
  });

  it('stores an empty string where one is required', () => {
    expect(new PropertyBag().textOrEmpty(1, undefined).get(1)?.bytes).toEqual(Buffer.alloc(0));
  });

  it('stores the last value of a key', () => {
    const bag = new PropertyBag().integer(1, 5).integer(1, 6);
    expect([bag.size, bag.get(1)?.number]).toEqual([1, 6]);
  });

  it.each([
    [-1, 0xffff_ffff],
    [0x8000_0000, 0x8000_0000],
    [0, 0],
  ])('stores the integer %i in 32 bits', (value, expected) => {
    expect(new PropertyBag().integer(1, value).get(1)?.number).toBe(expected);
  });

  it('stores small numbers, fractions and lists as the formats do', () => {
    const bag = new PropertyBag().short(1, -1).floating(2, 0.4).integers(3, [1, -1]).flag(4, false);
    expect(bag.get(1)?.number).toBe(0xffff);
    expect(bag.get(2)?.bytes.readDoubleLE()).toBe(0.4);
    expect(bag.get(3)?.bytes.toString('hex')).toBe('01000000ffffffff');
    expect(bag.get(4)?.number).toBe(0);
  });

  it('removes NULs and lone surrogates from texts', () => {
    const bag = new PropertyBag().text(1, 'a\0b\ud800').texts(2, ['x\0', '日']);
    expect(bag.get(1)?.bytes.toString('utf16le')).toBe('ab\ufffd');
    expect(bag.get(2)?.parts?.map((part) => part.toString('utf16le'))).toEqual(['x', '日']);
  });

  it('shares the memory of bytes it is given', () => {
    const bytes = new Uint8Array([1, 2, 3, 4]).subarray(1, 3);
    expect(new PropertyBag().binary(1, bytes).get(1)?.bytes).toEqual(Buffer.from([2, 3]));
  });
});

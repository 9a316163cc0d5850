import { assert, date, property } from 'fast-check';
import { expect, it } from 'vitest';
import { fileTime, minutesSince1601 } from './filetime.ts';

function ticks(of: Date): bigint {
  const { high, low } = fileTime(of);
  return BigInt(high) * 0x100000000n + BigInt(low);
}

it('counts the ticks of any date from 1601 on exactly', () => {
  const between = {
    min: new Date('1601-01-01T00:00:00Z'),
    max: new Date('9999-12-31T23:59:59.999Z'),
    noInvalidDate: true,
  };
  assert(
    property(date(between), (any) => {
      expect(ticks(any)).toBe(BigInt(any.getTime()) * 10_000n + 116_444_736_000_000_000n);
      expect(minutesSince1601(any)).toBe(Number(ticks(any) / 600_000_000n));
    }),
  );
});

it.each([
  ['no date', new Date(Number.NaN), 0n],
  ['a date before 1601', new Date('1500-01-01T00:00:00Z'), 0n],
  ['the first moment', new Date('1601-01-01T00:00:00Z'), 0n],
  ['the moment after', new Date('1601-01-01T00:00:00.001Z'), 10_000n],
  ['the beginning of 1970', new Date(0), 116_444_736_000_000_000n],
])('gives %s its place', (_, of, expected) => {
  expect(ticks(of)).toBe(expected);
});

it('stays within signed ticks for the last date there is', () => {
  expect(ticks(new Date(8.64e15))).toBe(ticks(new Date(Date.UTC(30827, 11, 31, 23, 59, 59, 999))));
  expect(ticks(new Date(8.64e15))).toBeLessThan(2n ** 63n);
});

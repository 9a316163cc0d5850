import { expect, it } from 'vitest';
import { base32, oneTimeCodeOf, stepAt, stepOfCode } from './one-time-codes.ts';

const KEY = Buffer.from('12345678901234567890');

it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('gives at second %d the last six digits of the test vector of RFC 6238', (second, code) => {
  expect(oneTimeCodeOf(KEY, stepAt(new Date(second * 1_000)))).toBe(code);
});

it('accepts a code one step before and after its own, and no further', () => {
  const step = stepAt(new Date(1_111_111_109_000));
  const offsets = [-2, -1, 0, 1, 2].map((offset) => stepOfCode(KEY, '081804', new Date((step + offset) * 30_000)));
  expect(offsets).toEqual([null, step, step, step, null]);
});

it.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foobar', 'MZXW6YTBOI'],
])('writes "%s" as the test vector of RFC 4648 without padding', (text, written) => {
  expect(base32(Buffer.from(text))).toBe(written);
});

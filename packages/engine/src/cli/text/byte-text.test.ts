import { expect, test } from 'vitest';
import { byteText } from './byte-text.ts';

test('shows three digits with decimal units, and never 1000 of one', () => {
  const sizes = [0, 1, 999, 1_000, 1_234, 9_999, 12_345, 99_950, 999_499, 999_500, 999_999_999, 1.5e12, 2e18];
  expect(sizes.map(byteText)).toEqual([
    '0 B',
    '1 B',
    '999 B',
    '1.00 kB',
    '1.23 kB',
    '10.0 kB',
    '12.3 kB',
    '100 kB',
    '999 kB',
    '1.00 MB',
    '1.00 GB',
    '1.50 TB',
    '2.00 EB',
  ]);
});

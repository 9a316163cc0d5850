import { expect, test } from 'vitest';
import { formatDateTime, formatDay, formatRelative } from './dates.ts';
import { formatDuration } from './durations.ts';
import { formatBytes, formatCount, formatCounted, formatRatio } from './numbers.ts';

test.each([
  [null, '–'],
  [0, '0 B'],
  [1_023, '1023 B'],
  [1_024, '1 KB'],
  [1_536, '1.5 KB'],
  [25 * 1_024 ** 3, '25 GB'],
  [1_024 ** 5 * 1_500, '1500 PB'],
])('%s bytes read as %s', (sizeBytes, text) => {
  expect(formatBytes(sizeBytes)).toBe(text);
});

test.each([
  [null, '–'],
  [0, '0s'],
  [400, '<1s'],
  [59_600, '1m'],
  [61_000, '1m 1s'],
  [3_600_000, '1h'],
  [86_400_000 + 5_000, '24h 5s'],
])('%s ms read as %s', (durationMs, text) => {
  expect(formatDuration(durationMs)).toBe(text);
});

test('one thing is counted in the singular, and none while their number is not known', () => {
  expect([null, 0, 1, 1_234].map((count) => formatCounted(count, 'entry', 'entries'))).toEqual([
    '',
    '0 entries',
    '1 entry',
    '1,234 entries',
  ]);
});

test('counts have separators, and a rate below all never reads as all', () => {
  expect(formatCount(1_234_567)).toBe('1,234,567');
  expect(formatRatio(0.99999)).toBe('99.9%');
  expect(formatRatio(1)).toBe('100.0%');
  expect(formatRatio(0.97)).toBe('97.0%');
  expect(formatRatio(null)).toBe('–');
});

test('dates read as MM/DD/YY hh:mm A, midnight as 12', () => {
  const local = new Date(2026, 0, 31, 0, 5).toISOString();
  expect(formatDateTime(local)).toBe('01/31/26 12:05 AM');
  expect(formatDateTime(new Date(2026, 11, 1, 14, 30).toISOString())).toBe('12/01/26 02:30 PM');
  expect(formatDateTime(null)).toBe('–');
  expect(formatDay('2026-01-31')).toBe('01/31/26');
});

test.each([
  ['2026-03-15T11:59:30Z', 'just now'],
  ['2026-03-15T11:59:00Z', '1 minute ago'],
  ['2026-03-15T09:00:00Z', '3 hours ago'],
  ['2026-03-13T12:00:00Z', '2 days ago'],
  ['2026-03-15T14:00:00Z', 'in 2 hours'],
  [null, 'never'],
])('%s is %s', (instant, text) => {
  expect(formatRelative(instant, new Date('2026-03-15T12:00:00Z'))).toBe(text);
});

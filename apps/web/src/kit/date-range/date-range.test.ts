import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countDays, dateRangeOf, fixedRange, formatUtcDays, lastDays, PRESETS } from './date-range.ts';
import { dateRangeField } from './date-range-field.ts';

const NOW = new Date(2026, 1, 10, 15, 30);

function daysOf(value: string, now = NOW): string | null {
  const range = dateRangeOf(value, now);
  if (range === null) return null;
  const day = (date: Date) => [date.getFullYear(), date.getMonth() + 1, date.getDate()].join('-');
  return `${day(range.from)} to ${day(range.to)}`;
}

test.each([
  ['Today', '2026-2-10 to 2026-2-10'],
  ['Yesterday', '2026-2-9 to 2026-2-9'],
  ['Last 2 Days', '2026-2-9 to 2026-2-10'],
  ['Last 90 Days', '2025-11-13 to 2026-2-10'],
  ['Last 400 Days', '2025-1-7 to 2026-2-10'],
  ['This Month', '2026-2-1 to 2026-2-28'],
  ['Last Month', '2026-1-1 to 2026-1-31'],
  ['This Quarter', '2026-1-1 to 2026-3-31'],
  ['Last Quarter', '2025-10-1 to 2025-12-31'],
  ['This Year', '2026-1-1 to 2026-12-31'],
  ['Last Year', '2025-1-1 to 2025-12-31'],
  ['2026-01-05..2026-01-31', '2026-1-5 to 2026-1-31'],
  ['2025-01-01..2026-02-04', '2025-1-1 to 2026-2-4'],
  ['2028-02-29..2028-02-29', '2028-2-29 to 2028-2-29'],
])('%s is %s', (value, days) => {
  expect(daysOf(value)).toBe(days);
});

test.each([
  '',
  'Tomorrow',
  'Last 0 Days',
  'Last 401 Days',
  'Last 999 Days',
  'Last 1000 Days',
  '2025-01-01..2026-02-05',
  'Last -2 Days',
  '2026-01-31..2026-01-05',
  '2026-06-31..2026-07-01',
  '1999-01-01..2026-01-01',
  '2026-01-01',
  '2026-01-01..2026-01-02..2026-01-03',
])('"%s" names no range', (value) => {
  expect(dateRangeOf(value, NOW)).toBeNull();
});

test('goes from the start of the first day to the end of the last', () => {
  const range = dateRangeOf('Last 3 Days', NOW);
  expect(range?.from).toEqual(new Date(2026, 1, 8, 0, 0, 0, 0));
  expect(range?.to).toEqual(new Date(2026, 1, 10, 23, 59, 59, 999));
});

test('every preset names a range at any moment, and ends after it begins', () => {
  const moments = fc.date({ min: new Date(2001, 1, 1), max: new Date(2099, 1, 1), noInvalidDate: true });
  fc.assert(
    fc.property(fc.constantFrom(...PRESETS), moments, (preset, now) => {
      const range = dateRangeOf(preset, now);
      expect(range?.value).toBe(preset);
      expect(range?.from.getTime()).toBeLessThan(range?.to.getTime() ?? 0);
    }),
  );
});

test('two days make a range in whichever order they are given', () => {
  expect(fixedRange('2026-02-01', '2026-01-01')).toBe('2026-01-01..2026-02-01');
});

test('counts both days of a range, in whichever order they are given, over a change of the clocks too', () => {
  expect(countDays('2026-03-01', '2026-03-01')).toBe(1);
  expect(countDays('2026-04-30', '2026-03-01')).toBe(61);
});

test('one day back is today', () => {
  expect(lastDays(1)).toBe('Today');
  expect(lastDays(45)).toBe('Last 45 Days');
});

test('an address with nonsense in it shows the default', () => {
  const field = dateRangeField();
  expect(field.read(['Yesterday'])).toBe('Yesterday');
  expect(field.read(['<script>'])).toBe('Last 2 Days');
  expect(field.read(['Last 401 Days'])).toBe('Last 2 Days');
  expect(field.read([])).toBe('Last 2 Days');
  expect(field.write('Last 2 Days')).toEqual([]);
  expect(field.write('Today')).toEqual(['Today']);
});

test('UTC days read as days of the year, with the year where it is another one', () => {
  const now = new Date('2026-11-22T12:00:00.000Z');
  expect(formatUtcDays('2026-11-17', now)).toBe('Nov 17 (UTC)');
  expect(formatUtcDays('2026-11-09..2026-11-15', now)).toBe('Nov 9 – Nov 15 (UTC)');
  expect(formatUtcDays('2025-12-31', now)).toBe('Dec 31, 2025 (UTC)');
  expect(formatUtcDays('2025-12-31..2026-01-02', now)).toBe('Dec 31, 2025 – Jan 2, 2026 (UTC)');
});

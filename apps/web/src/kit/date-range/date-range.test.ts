import { type BackupClock, UTC_CLOCK } from '@keepwatch/contract/backup-days/backup-day';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countDays, dateRangeOf, fixedRange, formatDays, knownRangeOf, lastDays, PRESETS } from './date-range.ts';
import { dateRangeField } from './date-range-field.ts';

const NOW = new Date('2026-02-10T15:30:00.000Z');
const BERLIN = { timeZone: 'Europe/Berlin', beginHour: 0 };
const NIGHTS = { timeZone: 'Europe/Berlin', beginHour: 18 };

function daysOf(value: string, now = NOW, clock: BackupClock = UTC_CLOCK): string | null {
  const range = dateRangeOf(value, now, clock);
  return range === null ? null : `${range.firstDay} to ${range.lastDay}`;
}

test.each([
  ['Today', '2026-02-10 to 2026-02-10'],
  ['Yesterday', '2026-02-09 to 2026-02-09'],
  ['Last 2 Days', '2026-02-09 to 2026-02-10'],
  ['Last 90 Days', '2025-11-13 to 2026-02-10'],
  ['Last 400 Days', '2025-01-07 to 2026-02-10'],
  ['This Month', '2026-02-01 to 2026-02-28'],
  ['Last Month', '2026-01-01 to 2026-01-31'],
  ['This Quarter', '2026-01-01 to 2026-03-31'],
  ['Last Quarter', '2025-10-01 to 2025-12-31'],
  ['This Year', '2026-01-01 to 2026-12-31'],
  ['Last Year', '2025-01-01 to 2025-12-31'],
  ['2026-01-05..2026-01-31', '2026-01-05 to 2026-01-31'],
  ['2025-01-01..2026-02-04', '2025-01-01 to 2026-02-04'],
  ['2028-02-29..2028-02-29', '2028-02-29 to 2028-02-29'],
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
  expect(dateRangeOf(value, NOW, UTC_CLOCK)).toBeNull();
});

test('goes from the start of the first day to the end of the last, by the clock', () => {
  expect(dateRangeOf('Last 3 Days', NOW, UTC_CLOCK)).toMatchObject({
    from: '2026-02-08T00:00:00.000Z',
    to: '2026-02-10T23:59:59.999Z',
  });
  expect(dateRangeOf('Last 3 Days', NOW, NIGHTS)).toMatchObject({
    from: '2026-02-07T17:00:00.000Z',
    to: '2026-02-10T16:59:59.999Z',
  });
});

test.each([
  ['Today', '2026-03-28T22:59:59.999Z', BERLIN, '2026-03-28 to 2026-03-28'],
  ['Today', '2026-03-28T23:00:00.000Z', BERLIN, '2026-03-29 to 2026-03-29'],
  ['Yesterday', '2026-03-29T21:59:59.999Z', BERLIN, '2026-03-28 to 2026-03-28'],
  ['Yesterday', '2026-03-29T22:00:00.000Z', BERLIN, '2026-03-29 to 2026-03-29'],
  ['Today', '2026-04-01T15:59:59.999Z', NIGHTS, '2026-03-31 to 2026-03-31'],
  ['This Month', '2026-04-01T15:59:59.999Z', NIGHTS, '2026-03-01 to 2026-03-31'],
  ['This Month', '2026-04-01T16:00:00.000Z', NIGHTS, '2026-04-01 to 2026-04-30'],
])('%s at %s is by the clock, whatever the zone of the browser', (value, now, clock, days) => {
  expect(daysOf(value, new Date(now), clock)).toBe(days);
});

test('is a whole day also where a day has 23 or 25 hours', () => {
  const hours = (day: string) => {
    const { from, to } = knownRangeOf(`${day}..${day}`, NOW, BERLIN);
    return (Date.parse(to) + 1 - Date.parse(from)) / 3_600_000;
  };
  expect(['2026-03-28', '2026-03-29', '2026-10-25'].map(hours)).toEqual([24, 23, 25]);
});

test('reads a text that names no range as the usual one', () => {
  expect(knownRangeOf('the good old days', NOW, UTC_CLOCK)).toEqual(dateRangeOf('Last 2 Days', NOW, UTC_CLOCK));
});

test('every preset names a range at any moment, and ends after it begins', () => {
  const moments = fc.date({ min: new Date(2001, 1, 1), max: new Date(2099, 1, 1), noInvalidDate: true });
  fc.assert(
    fc.property(fc.constantFrom(...PRESETS), moments, (preset, now) => {
      const { from, to } = dateRangeOf(preset, now, NIGHTS) ?? { from: '', to: '' };
      expect(from < to).toBe(true);
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

test('days read as days of the year, with their zone, and with the year where it is another one', () => {
  const now = new Date('2026-11-22T12:00:00.000Z');
  expect(formatDays('2026-11-17', now, 'UTC')).toBe('Nov 17 (UTC)');
  expect(formatDays('2026-11-09..2026-11-15', now, 'UTC')).toBe('Nov 9 – Nov 15 (UTC)');
  expect(formatDays('2026-11-17', now, 'America/Los_Angeles')).toBe('Nov 17 (Los Angeles)');
  expect(formatDays('2025-12-31', now, 'UTC')).toBe('Dec 31, 2025 (UTC)');
  expect(formatDays('2025-12-31..2026-01-02', now, 'UTC')).toBe('Dec 31, 2025 – Jan 2, 2026 (UTC)');
});

import { UTC_CLOCK } from '@keepwatch/contract/backup-days/backup-day';
import { expect, test } from 'vitest';
import { addMonths, daysOfMonth, formatMonth, monthOf, rangeOfMonth, readMonth } from './month.ts';

test('is the month of a day', () => {
  expect(monthOf('2026-02-28')).toBe('2026-02');
  expect(monthOf('2026-12-01')).toBe('2026-12');
});

test('goes over the turn of the year in both directions', () => {
  expect(addMonths('2026-01', -1)).toBe('2025-12');
  expect(addMonths('2025-12', 1)).toBe('2026-01');
  expect(addMonths('2026-03', 0)).toBe('2026-03');
});

test('reads a month of the address and nothing else', () => {
  expect(readMonth('2026-03')).toBe('2026-03');
  for (const text of ['', '2026-13', '2026-00', '26-03', '1999-01', '2026-03-01', 'constructor']) {
    expect(readMonth(text), text).toBeNull();
  }
});

test('covers the month from its first to its last millisecond', () => {
  const utc = { from: '2026-02-01T00:00:00.000Z', to: '2026-02-28T23:59:59.999Z' };
  expect(rangeOfMonth('2026-02', UTC_CLOCK)).toEqual(utc);
  // By nights in Berlin, where the clocks change within.
  const nights = { from: '2026-03-01T17:00:00.000Z', to: '2026-04-01T15:59:59.999Z' };
  expect(rangeOfMonth('2026-03', { timeZone: 'Europe/Berlin', beginHour: 18 })).toEqual(nights);
});

test('knows leap days', () => {
  expect(daysOfMonth('2028-02', '2026-03-15')).toHaveLength(29);
  expect(daysOfMonth('2026-02', '2026-03-15')).toHaveLength(28);
});

test('marks weekends, today and the days to come', () => {
  const days = daysOfMonth('2026-03', '2026-03-15');
  expect(days[0]).toEqual({
    day: '2026-03-01',
    number: 1,
    weekday: 'Sunday',
    isWeekend: true,
    isToday: false,
    isFuture: false,
  });
  expect(days.filter((day) => day.isToday).map((day) => day.number)).toEqual([15]);
  expect(days.filter((day) => day.isFuture).map((day) => day.number)[0]).toBe(16);
  expect(days.filter((day) => day.isWeekend).map((day) => day.number)).toEqual([1, 7, 8, 14, 15, 21, 22, 28, 29]);
});

test('names the month in full', () => {
  expect(formatMonth('2026-03')).toBe('March 2026');
});

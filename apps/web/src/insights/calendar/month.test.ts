import { expect, test } from 'vitest';
import { addMonths, daysOfMonth, formatMonth, monthOf, rangeOfMonth, readMonth } from './month.ts';

test('is the month of UTC, whatever the zone of the browser', () => {
  expect(monthOf(new Date('2026-02-28T23:59:59.999Z'))).toBe('2026-02');
  expect(monthOf(new Date('2026-03-01T00:00:00.000Z'))).toBe('2026-03');
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
  expect(rangeOfMonth('2026-02')).toEqual({ from: '2026-02-01T00:00:00.000Z', to: '2026-02-28T23:59:59.999Z' });
});

test('knows leap days', () => {
  expect(daysOfMonth('2028-02', new Date('2026-03-15T00:00:00Z'))).toHaveLength(29);
  expect(daysOfMonth('2026-02', new Date('2026-03-15T00:00:00Z'))).toHaveLength(28);
});

test('marks weekends, today and the days to come', () => {
  const days = daysOfMonth('2026-03', new Date('2026-03-15T12:00:00Z'));
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

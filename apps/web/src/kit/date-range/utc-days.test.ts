import { expect, test } from 'vitest';
import { utcDaysOf } from './utc-days.ts';

test('counts the days of UTC, whatever the zone of the browser', () => {
  expect(utcDaysOf('Last 7 Days', new Date('2026-03-15T23:59:59.999Z'))).toEqual({
    from: '2026-03-09T00:00:00.000Z',
    to: '2026-03-15T23:59:59.999Z',
  });
  expect(utcDaysOf('Last 7 Days', new Date('2026-03-16T00:00:00.000Z'))).toEqual({
    from: '2026-03-10T00:00:00.000Z',
    to: '2026-03-16T23:59:59.999Z',
  });
});

test('is a whole day also where a day has 23 or 25 hours', () => {
  const sundays = ['2026-03-29', '2026-10-25'];
  for (const day of sundays) {
    const expected = { from: `${day}T00:00:00.000Z`, to: `${day}T23:59:59.999Z` };
    expect(utcDaysOf('Today', new Date(`${day}T01:30:00.000Z`))).toEqual(expected);
  }
});

test('uses fixed days as they are', () => {
  expect(utcDaysOf('2026-01-30..2026-02-02', new Date('2026-03-15T12:00:00.000Z'))).toEqual({
    from: '2026-01-30T00:00:00.000Z',
    to: '2026-02-02T23:59:59.999Z',
  });
});

test('reads a text that names no range as the usual one', () => {
  expect(utcDaysOf('the good old days', new Date('2026-03-15T12:00:00.000Z'))).toEqual({
    from: '2026-03-14T00:00:00.000Z',
    to: '2026-03-15T23:59:59.999Z',
  });
});

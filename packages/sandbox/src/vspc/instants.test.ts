import { expect, test } from 'vitest';
import { instant, instantOrNull, seconds, timeOfDay } from './instants.ts';

const nine = Date.parse('2026-11-21T09:00:00Z');

test.each([
  [0, '2026-11-21T09:00:00+00:00'],
  [60, '2026-11-21T10:00:00+01:00'],
  [330, '2026-11-21T14:30:00+05:30'],
  [-300, '2026-11-21T04:00:00-05:00'],
  [720, '2026-11-21T21:00:00+12:00'],
])('an instant at an offset of %i minutes is written %s, and means the same', (offsetMinutes, text) => {
  expect(instant(nine, offsetMinutes)).toBe(text);
  expect(Date.parse(text)).toBe(nine);
});

test('what never was is null', () => {
  expect(instantOrNull(undefined)).toBeNull();
  expect(instantOrNull(nine)).toBe('2026-11-21T09:00:00+00:00');
});

test('a duration is in whole seconds', () => {
  expect(seconds(nine, nine + 61_400)).toBe(61);
});

test.each([
  [0, '00:00:00'],
  [1439, '23:59:00'],
  [1440, '00:00:00'],
  [-60, '23:00:00'],
])('minute %i of a day is %s', (minute, text) => {
  expect(timeOfDay(minute)).toBe(text);
});

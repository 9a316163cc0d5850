import { expect, test } from 'vitest';
import { utcDayOf, wholeDays } from './utc-day.ts';

test('a moment has the day that it is in UTC', () => {
  expect(utcDayOf(new Date('2026-02-28T23:59:59.999Z'))).toBe('2026-02-28');
});

test('whole days go from the first instant to the last', () => {
  expect(wholeDays('2026-02-03')).toEqual({ from: '2026-02-03T00:00:00.000Z', to: '2026-02-03T23:59:59.999Z' });
  expect(wholeDays('2026-02-03', '2026-02-09').to).toBe('2026-02-09T23:59:59.999Z');
});

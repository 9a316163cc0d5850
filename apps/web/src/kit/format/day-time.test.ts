import { expect, test } from 'vitest';
import { formatDateTime } from './dates.ts';
import { formatDayTime } from './day-time.ts';

const NOW = new Date('2026-03-15T12:00:00.000Z');

test('leaves the year out of a day of lately', () => {
  const instant = '2026-02-01T08:05:00.000Z';
  expect(formatDayTime(instant, NOW)).toBe(formatDateTime(instant).replace('/26', ''));
  expect(formatDayTime('2025-12-31T12:00:00.000Z', NOW)).toMatch(/^12\/31 \d\d:\d\d [AP]M$/);
});

test('says the year of a day of long ago', () => {
  expect(formatDayTime('2025-03-01T12:00:00.000Z', NOW)).toBe('03/01/25');
});

import { expect, test } from 'vitest';
import { buildRepository } from '../dashboard/testing/quiet-dashboard.ts';
import { forecastOf, growthText } from './forecast.ts';

const now = new Date('2026-03-15T12:00:00.000Z');
const forecast = (fields: Parameters<typeof buildRepository>[0]) => forecastOf(buildRepository(fields), now);

test('counts the days until it is full', () => {
  expect(forecast({ fullAt: '2026-03-27T12:00:00.000Z' }).text).toBe('full in 12 days');
  expect(forecast({ fullAt: '2026-03-16T09:00:00.000Z' }).text).toBe('full in 1 day');
  expect(forecast({ fullAt: '2026-03-15T12:00:00.000Z' }).text).toBe('full today');
});

test('does not count backwards where the forecast was wrong', () => {
  expect(forecast({ fullAt: '2026-03-01T00:00:00.000Z' }).text).toBe('full today');
});

test('is urgent within a week, and worth a look within a month', () => {
  expect(forecast({ fullAt: '2026-03-20T12:00:00.000Z' }).urgency).toBe('now');
  expect(forecast({ fullAt: '2026-04-10T12:00:00.000Z' }).urgency).toBe('soon');
  expect(forecast({ fullAt: '2026-09-10T12:00:00.000Z' }).urgency).toBe('none');
});

test('is full when nothing is free, and otherwise not urgent without growth', () => {
  expect(forecast({ usedRatio: 1, growthBytesPerDay: 5 })).toEqual({ text: 'full', urgency: 'now' });
  expect(forecast({ usedRatio: 0.97, growthBytesPerDay: 0 })).toEqual({ text: 'not growing', urgency: 'none' });
});

test('says why there is no forecast', () => {
  expect(forecast({ growthBytesPerDay: null }).text).toBe('too little history');
  expect(forecast({ growthBytesPerDay: -2_000 }).text).toBe('not growing');
  expect(forecast({ growthBytesPerDay: 2_000 }).text).toBe('not within a year');
  expect(forecast({ usedRatio: null, capacityBytes: null }).text).toBe('not known');
});

test('says how it grows', () => {
  expect(growthText(12 * 1_024 ** 3)).toBe('grows 12 GB a day');
  expect(growthText(-1_024)).toBe('shrinks 1 KB a day');
  expect(growthText(0)).toBe('does not grow');
  expect(growthText(null)).toBe('growth not known yet');
});

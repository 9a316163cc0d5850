import { expect, test } from 'vitest';
import { fullAtOf } from './full-at.ts';

const now = new Date('2026-03-15T12:00:00.000Z');
const of = (fullAt: string | null, usedRatio: number | null = 0.8, growthBytesPerDay: number | null = 1) =>
  fullAtOf({ usedRatio, growthBytesPerDay, fullAt }, now, 'America/New_York');

test('says on which day a repository is full, by the clock of the provider', () => {
  expect(of('2026-05-01T02:00:00.000Z')).toEqual({ text: 'Full in 47 days', day: '04/30/26', urgency: null });
  expect(of('2026-04-10T12:00:00.000Z')).toMatchObject({ text: 'Full in 26 days', urgency: 'soon' });
  expect(of('2026-03-16T12:00:00.000Z')).toMatchObject({ text: 'Full in 1 day', urgency: 'now' });
  expect(of('2026-03-15T11:00:00.000Z')).toMatchObject({ text: 'Full today', urgency: 'now' });
});

test('says why there is no day', () => {
  expect(of(null, null).text).toBe('Capacity not known');
  expect(of(null, 1)).toEqual({ text: 'Full', day: null, urgency: 'now' });
  expect(of(null, 0.8, null).text).toBe('Too little history');
  expect(of(null, 0.8, 0).text).toBe('Not growing');
  expect(of(null, 0.8, 5).text).toBe('Not within a year');
});

import { expect, test } from 'vitest';
import { ignoreChoices, untilDay } from './ignore-until.ts';

const startOf = (year: number, month: number, day: number) => new Date(year, month - 1, day).toISOString();
const untils = (now: Date) => ignoreChoices(now, 'run').map(({ until }) => until);

test('ends tomorrow at midnight, next Monday, or never', () => {
  const friday = new Date(2026, 2, 13, 17, 30);
  expect(untils(friday)).toEqual([startOf(2026, 3, 14), startOf(2026, 3, 16), null]);
});

test('next week is never today', () => {
  const monday = new Date(2026, 2, 16, 9);
  const sunday = new Date(2026, 2, 15, 9);
  expect(untils(monday)[1]).toBe(startOf(2026, 3, 23));
  expect(untils(sunday)[1]).toBe(startOf(2026, 3, 16));
});

test('says of a fault that it comes back when its job fails again', () => {
  const last = (of: 'run' | 'fault') => ignoreChoices(new Date(2026, 2, 13), of).at(-1)?.label;
  expect([last('run'), last('fault')]).toEqual(['Permanently', 'Until it fails again']);
});

test('accepts a day that the user picks, if it is in the future', () => {
  const now = new Date(2026, 2, 15, 9);
  expect(untilDay('2026-04-01', now)).toBe(startOf(2026, 4, 1));
  expect(untilDay('2026-03-15', now)).toBeNull();
  expect(untilDay('2026-03-01', now)).toBeNull();
  expect(untilDay('', now)).toBeNull();
});

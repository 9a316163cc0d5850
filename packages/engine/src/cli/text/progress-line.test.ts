import { expect, test } from 'vitest';
import { durationText } from '../../model/duration-text.ts';
import { progressLine } from './progress-line.ts';
import { widthOf } from './terminal-text.ts';

const backup = {
  what: 'Ada Lindqvist, 美咲 田中',
  done: 3,
  total: 12,
  unit: 'objects',
  items: 1_204,
  bytes: 36_900_000,
} as const;

test('shows share, objects, items, rate, what is left and what is read', () => {
  expect(progressLine(backup, 10_000, 200)).toBe(
    '█████░░░░░░░░░░░░░░░ 25 %  3 of 12 objects  1,204 items  3.69 MB/s  about 30 s  Ada Lindqvist, 美咲 田中',
  );
});

test('shows no bar while the total is unknown, and no estimate before it can be one', () => {
  const unknown = progressLine({ ...backup, total: null }, 10_000, 200);
  expect(unknown).toBe('3 objects  1,204 items  3.69 MB/s  Ada Lindqvist, 美咲 田中');
  expect(progressLine(backup, 500, 200)).not.toMatch(/about|\/s/);
  expect(progressLine({ ...backup, total: 0, done: 0 }, 9_000, 200)).not.toMatch(/NaN|Infinity|%/);
  expect(progressLine({ ...backup, done: 12 }, 9_000, 200)).not.toContain('about');
});

test('never says 100 % before the end, nor more after it', () => {
  expect(progressLine({ ...backup, done: 999, total: 1_000 }, 9_000, 200)).toContain('░ 99 %');
  expect(progressLine({ ...backup, done: 1_100, total: 1_000 }, 9_000, 200)).toContain('█ 100 %');
});

test('fits on one line of any terminal', () => {
  for (const columns of [20, 40, 80])
    expect(widthOf(progressLine(backup, 9_000, columns))).toBeLessThanOrEqual(columns);
});

test('counts bytes as sizes and items by their rate', () => {
  expect(progressLine({ what: '', done: 5_000_000, total: 10_000_000, unit: 'bytes' }, 1_000, 80)).toContain(
    '5.00 MB of 10.0 MB  5.00 MB/s',
  );
  expect(progressLine({ what: '', done: 300, total: null, unit: 'items' }, 2_000, 80)).toBe('300 items  150/s');
});

test('says times as exactly as an estimate is', () => {
  expect([500, 59_000, 61_000, 5_400_000, 200_000_000].map(durationText)).toEqual([
    '1 s',
    '59 s',
    '1 min',
    '1.5 h',
    '2 days',
  ]);
});

import type { DayCounts } from '@keepwatch/contract/insights/insights';
import { expect, test } from 'vitest';
import { heightOf, textOf } from './day-totals.tsx';

const day = (fields: Partial<DayCounts>): DayCounts => ({
  day: '2026-03-01',
  success: 0,
  warning: 0,
  failed: 0,
  running: 0,
  didntRun: 0,
  anomalies: 0,
  transferredBytes: 0,
  ...fields,
});

test('says in words what the bar shows', () => {
  expect(textOf(day({ success: 1_204, failed: 3 }))).toBe('3 failed, 1,204 successful');
  expect(textOf(day({}))).toBe('No runs');
});

test('shows a single failure among thousands', () => {
  expect(heightOf(1, 10_000)).toBeGreaterThanOrEqual(1);
  expect(heightOf(0, 10_000)).toBe(0);
  expect(heightOf(10_000, 10_000)).toBe(30);
});

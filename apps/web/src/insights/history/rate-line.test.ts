import { expect, test } from 'vitest';
import { buildDay } from '../dashboard/testing/quiet-dashboard.ts';
import { successRate } from './history-layers.ts';
import { rateFloor } from './rate-line.tsx';

test('is the share of successes of all runs that ended or were missed', () => {
  expect(successRate(buildDay('2026-03-15', { success: 6, warning: 1, failed: 2, didntRun: 1, running: 9 }))).toBe(0.6);
  expect(successRate(buildDay('2026-03-15', { running: 9 }))).toBeNull();
});

test('has a scale that begins at the tenth below the lowest rate, and never above 90%', () => {
  expect(rateFloor([0.99, null, 1])).toBe(0.9);
  expect(rateFloor([0.99, 0.66])).toBeCloseTo(0.6);
  expect(rateFloor([0])).toBe(0);
  expect(rateFloor([null])).toBe(0.9);
});

import type { PastRun } from '@keepwatch/contract/executions/job-executions';
import { expect, test } from 'vitest';
import { runId } from '../testing/executions.ts';
import { barHeights, HEIGHT_PX } from './past-runs-scale.ts';

const run = (durationMs: number | null, transferredBytes: number | null = null): PastRun => ({
  _id: runId(1),
  startedAt: '2026-03-15T08:00:00.000Z',
  result: 'Success',
  durationMs,
  transferredBytes,
  anomalies: [],
});

test('fills the picture with the longest run and measures the others against it', () => {
  expect(barHeights([run(1_000), run(500)], 'durationMs')).toEqual([HEIGHT_PX, HEIGHT_PX / 2]);
});

test('keeps a run without value, or with a tiny one, in sight', () => {
  const [long, missed, tiny] = barHeights([run(1_000_000), run(null), run(1)], 'durationMs');
  expect(long).toBe(HEIGHT_PX);
  expect(missed).toBeGreaterThan(0);
  expect(tiny).toBeGreaterThan(0);
});

test('switches to transferred bytes', () => {
  expect(barHeights([run(1, 10), run(2, 40)], 'transferredBytes')).toEqual([HEIGHT_PX / 4, HEIGHT_PX]);
});

test('draws a job whose every value is zero or missing', () => {
  expect(barHeights([run(0), run(null)], 'durationMs').every((height) => height > 0)).toBe(true);
  expect(barHeights([], 'durationMs')).toEqual([]);
});

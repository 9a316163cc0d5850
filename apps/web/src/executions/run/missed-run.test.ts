import { expect, test } from 'vitest';
import { formatDateTime } from '../../kit/format/dates.ts';
import { missedText } from './missed-run.ts';

const at = (day: number, hour = 3) => new Date(Date.UTC(2026, 2, day, hour)).toISOString();
const past = (startedAt: string, result: 'Success' | 'DidntRun' = 'Success') => ({
  _id: startedAt,
  startedAt,
  result,
  durationMs: null,
  transferredBytes: null,
  anomalies: [],
});

test('says when the run was expected, which run came next, and the cadence before', () => {
  const pastRuns = [...[1, 2, 3, 4].map((day) => past(at(day))), past(at(5), 'DidntRun'), past(at(6, 4))];
  expect(missedText({ startedAt: at(5), pastRuns }, 'UTC')).toBe(
    `Expected ${formatDateTime(at(5), 'UTC')}; nothing came until ${formatDateTime(at(6, 4), 'UTC')}. The runs before it came every day.`,
  );
});

test('says that no run has come since, and states no cadence after only two runs', () => {
  const pastRuns = [past(at(1)), past(at(2)), past(at(3), 'DidntRun'), past(at(4), 'DidntRun')];
  expect(missedText({ startedAt: at(3), pastRuns }, 'UTC')).toBe(
    `Expected ${formatDateTime(at(3), 'UTC')}; no run has come since.`,
  );
});

test.each([
  [15, '15 minutes'],
  [60, 'hour'],
  [120, '2 hours'],
  [90, '90 minutes'],
])('a run every %i minutes came every %s', (minutes, words) => {
  const start = (place: number) => new Date(Date.UTC(2026, 2, 1) + place * minutes * 60_000).toISOString();
  const pastRuns = [0, 1, 2, 3, 4].map((place) => past(start(place)));
  expect(missedText({ startedAt: start(5), pastRuns }, 'UTC')).toContain(`came every ${words}.`);
});

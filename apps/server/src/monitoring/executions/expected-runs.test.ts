import { describe, expect, it } from 'vitest';
import { baselineOf, NO_RUNS } from './baseline.ts';
import { expectedAtMs, graceMs, nextSlots, overdueAtMs, type Schedule, usualIntervalMs } from './expected-runs.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Monday, 2 March 2026, 22:00 UTC. */
const MONDAY = Date.UTC(2026, 2, 2, 22);

const daily: Schedule = {
  isEnabled: true,
  isRemoved: false,
  scheduleType: 'Daily',
  intervalMs: DAY_MS,
  nextRunAtMs: null,
};
const unknown: Schedule = { ...daily, scheduleType: null, intervalMs: null };

function runsAt(starts: readonly number[]) {
  const none = { durationMs: null, transferredBytes: null, sizeBytes: null };
  return baselineOf(starts.map((startedAtMs) => ({ startedAtMs, ...none })));
}

/** The working days of the weeks before a Monday, with it. */
const workDays = runsAt(
  Array.from({ length: 28 }, (_, index) => MONDAY - (27 - index) * DAY_MS).filter(
    (at) => ![0, 6].includes(new Date(at).getUTCDay()),
  ),
);

describe('when a job is expected', () => {
  it('is an interval after its last run, as its schedule says', () => {
    expect(expectedAtMs(daily, MONDAY, NO_RUNS)).toBe(MONDAY + DAY_MS);
  });

  it('is exactly when the source says the next run is, near that', () => {
    expect(expectedAtMs({ ...daily, nextRunAtMs: MONDAY + DAY_MS - 40_000 }, MONDAY, NO_RUNS)).toBe(
      MONDAY + DAY_MS - 40_000,
    );
  });

  it('stays the missed slot when the source has gone on to name the one after it', () => {
    expect(expectedAtMs({ ...daily, nextRunAtMs: MONDAY + 3 * DAY_MS }, MONDAY, NO_RUNS)).toBe(MONDAY + DAY_MS);
  });

  it('comes from its own history where the source says nothing', () => {
    const everySixHours = runsAt([0, 6, 12, 18.5, 24].map((hours) => MONDAY - DAY_MS + hours * HOUR_MS));
    expect(usualIntervalMs(everySixHours)).toBe(6 * HOUR_MS);
    expect(expectedAtMs(unknown, MONDAY, everySixHours)).toBe(MONDAY + 6 * HOUR_MS);
    expect(expectedAtMs(unknown, MONDAY, runsAt([MONDAY - DAY_MS, MONDAY]))).toBeNull();
  });

  it('leaves out the weekend of a job that rests then', () => {
    const friday = MONDAY + 4 * DAY_MS;
    expect(nextSlots(unknown, friday, workDays, 2)).toEqual([friday + 3 * DAY_MS, friday + 4 * DAY_MS]);
  });

  it('does not leave out days while the history is too short to know them', () => {
    const lastDays = runsAt([3, 2, 1, 0].map((days) => MONDAY - days * DAY_MS));
    expect(nextSlots(unknown, MONDAY, lastDays, 1)).toEqual([MONDAY + DAY_MS]);
  });

  it.each([
    ['a disabled job', { isEnabled: false }],
    ['a removed job', { isRemoved: true }],
    ['a job whose schedule is off', { scheduleType: 'Disabled' as const }],
    ['a continuous job', { scheduleType: 'Continuously' as const }],
    ['a chained job without an interval', { scheduleType: 'Chained' as const, intervalMs: null }],
  ])('is never: %s', (_name, given) => {
    expect(overdueAtMs({ ...daily, nextRunAtMs: MONDAY + DAY_MS, ...given }, MONDAY, workDays)).toBeNull();
  });

  it('of a job that never ran is when the source says, or not known', () => {
    expect(expectedAtMs({ ...daily, nextRunAtMs: MONDAY }, null, NO_RUNS)).toBe(MONDAY);
    expect(expectedAtMs(daily, null, NO_RUNS)).toBeNull();
  });
});

describe('how late a run may be', () => {
  it.each([
    ['half of the interval', 10 * HOUR_MS, 5 * HOUR_MS],
    ['30 minutes at least', 10 * 60_000, 30 * 60_000],
    ['12 hours at most', 30 * DAY_MS, 12 * HOUR_MS],
    ['12 hours where no interval is known', null, 12 * HOUR_MS],
  ])('is %s', (_name, intervalMs, expected) => {
    expect(graceMs(intervalMs)).toBe(expected);
  });

  it('comes on top of when it is expected', () => {
    expect(overdueAtMs(daily, MONDAY, NO_RUNS)).toBe(MONDAY + 36 * HOUR_MS);
  });
});

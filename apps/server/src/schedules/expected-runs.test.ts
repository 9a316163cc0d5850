import { describe, expect, it } from 'vitest';
import { baselineOf, NO_RUNS } from '../runs/baseline.ts';
import { cadenceOf } from './cadence.ts';
import { dueAfter, dueUnder, missedSlots, type Schedule, scheduleSince, stallOf } from './expected-runs.ts';

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
  sinceMs: null,
};
const unknown: Schedule = { ...daily, scheduleType: null, intervalMs: null };

function expectedAtMs(...given: Parameters<typeof dueAfter>): number | null {
  return dueAfter(...given)?.expectedAtMs ?? null;
}

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

  it('stays the missed slot when the source already names a later one', () => {
    expect(expectedAtMs({ ...daily, nextRunAtMs: MONDAY + 3 * DAY_MS }, MONDAY, NO_RUNS)).toBe(MONDAY + DAY_MS);
  });

  it('comes from its own history where the source says nothing', () => {
    const everySixHours = runsAt([0, 6, 12, 18.5, 24].map((hours) => MONDAY - DAY_MS + hours * HOUR_MS));
    expect(expectedAtMs(unknown, MONDAY, everySixHours)).toBe(MONDAY + 6 * HOUR_MS);
    expect(expectedAtMs(unknown, MONDAY, runsAt([MONDAY - DAY_MS, MONDAY]))).toBeNull();
  });

  it.each([
    ['a disabled job', { isEnabled: false }],
    ['a removed job', { isRemoved: true }],
    ['a job whose schedule is off', { scheduleType: 'Disabled' as const }],
    ['a continuous job', { scheduleType: 'Continuously' as const }],
    ['a chained job without an interval', { scheduleType: 'Chained' as const, intervalMs: null }],
  ])('is never: %s', (_name, given) => {
    expect(dueAfter({ ...daily, nextRunAtMs: MONDAY + DAY_MS, ...given }, MONDAY, workDays)).toBeNull();
  });

  it('of a job that never ran is when the source says, or not known', () => {
    expect(expectedAtMs({ ...daily, nextRunAtMs: MONDAY }, null, NO_RUNS)).toBe(MONDAY);
    expect(expectedAtMs(daily, null, NO_RUNS)).toBeNull();
  });
});

describe('when a job counts as overdue', () => {
  it('is the grace period after it is expected', () => {
    expect(dueAfter(daily, MONDAY, NO_RUNS)?.overdueAtMs).toBe(MONDAY + 36 * HOUR_MS);
  });

  it.each([
    ['stays the slot that passed when the source names the one after it', daily, 30, 36],
    ['moves with the schedule before the slot', daily, 20, 60],
    ['is counted from now when the job was off until now', { ...daily, isEnabled: false }, 100, 136],
  ])('under a newly read schedule %s', (_name, before, hoursLater, expectedHours) => {
    const nowMs = MONDAY + hoursLater * HOUR_MS;
    const known = {
      schedule: before,
      last: { startedAtMs: MONDAY },
      due: dueAfter(before, MONDAY, NO_RUNS),
      baseline: NO_RUNS,
    };
    const nextRunAtMs = before.isEnabled ? MONDAY + 2 * DAY_MS : null;
    const reported = { ...daily, intervalMs: before.isEnabled ? 2 * DAY_MS : DAY_MS, nextRunAtMs };
    const schedule = scheduleSince(reported, known, nowMs);
    expect(dueUnder(schedule, known, nowMs)?.overdueAtMs).toBe(MONDAY + expectedHours * HOUR_MS);
  });
});

describe('the slots that an overdue job has missed', () => {
  const cadence = cadenceOf(DAY_MS, () => []);
  const overdueMs = MONDAY + 12 * HOUR_MS;
  const due = { expectedAtMs: MONDAY, sinceMs: null, countMax: 60 };

  it('are those that have passed by more than the grace period', () => {
    const horizonMs = overdueMs + DAY_MS + 1;
    expect(missedSlots(cadence, { ...due, horizonMs })).toEqual([MONDAY, MONDAY + DAY_MS]);
  });

  it('end where the known history ends, and at the given maximum', () => {
    expect(missedSlots(cadence, { ...due, horizonMs: overdueMs })).toEqual([]);
    expect(missedSlots(cadence, { ...due, horizonMs: overdueMs + 90 * DAY_MS })).toHaveLength(60);
  });

  it('are only the one that the source named when no cadence is known', () => {
    const horizonMs = overdueMs + 90 * DAY_MS;
    expect(missedSlots(null, { ...due, horizonMs })).toEqual([MONDAY]);
  });

  it('exclude those between the due slot and the change of its cadence', () => {
    const sinceMs = MONDAY + 14 * HOUR_MS;
    const hourly = cadenceOf(HOUR_MS, () => []);
    const slots = missedSlots(hourly, { ...due, sinceMs, horizonMs: sinceMs + 3 * HOUR_MS });
    expect(slots).toEqual([MONDAY, sinceMs + HOUR_MS, sinceMs + 2 * HOUR_MS]);
  });
});

describe('a job whose source names only the next run has stalled', () => {
  const nights = Array.from({ length: 10 }, (_, index) => MONDAY - (9 - index) * DAY_MS);
  const planned: Schedule = { ...unknown, nextRunAtMs: MONDAY + 100 * DAY_MS };
  const expected = (given: Partial<Schedule>, starts: readonly number[], hoursLater: number) =>
    stallOf({ ...planned, ...given }, starts, MONDAY + hoursLater * HOUR_MS)?.due.expectedAtMs ?? null;

  it('since the slot after its last run, once that has passed by more than the grace period', () => {
    expect(expected({}, nights, 36)).toBeNull();
    expect(expected({}, nights, 36.1)).toBe(MONDAY + DAY_MS);
    expect(expected({}, nights, 20 * 24)).toBe(MONDAY + DAY_MS);
  });

  it('not while it rests at weekends', () => {
    const restful = nights.concat(nights.map((at) => at - 14 * DAY_MS)).sort((one, other) => one - other);
    const untilFriday = restful.filter((at) => at <= MONDAY - 3 * DAY_MS && ![0, 6].includes(new Date(at).getUTCDay()));
    expect(expected({}, untilFriday, -12)).toBeNull();
    expect(expected({}, untilFriday, 13)).toBe(MONDAY);
  });

  it('after its longest pause at the latest, when its slots fit no week', () => {
    const everyFiveDays = [20, 15, 10, 5, 0].map((days) => MONDAY - days * DAY_MS);
    expect(expected({}, everyFiveDays, 5 * 24 + 12)).toBeNull();
    expect(expected({}, everyFiveDays, 5 * 24 + 13)).toBe(MONDAY + 5 * DAY_MS);
  });

  it('after a week when only a daily schedule is known', () => {
    expect(expected({ scheduleType: 'Daily' }, [MONDAY], 7 * 24 + 12)).toBeNull();
    expect(expected({ scheduleType: 'Daily' }, [MONDAY], 7 * 24 + 13)).toBe(MONDAY + 7 * DAY_MS);
    expect(expected({ scheduleType: 'Periodically' }, [MONDAY], 90 * 24)).toBeNull();
  });

  it('since it was switched on, however long before that it ran last', () => {
    expect(expected({ sinceMs: MONDAY + 10 * DAY_MS }, nights, 11 * 24)).toBeNull();
  });

  it.each([
    ['is off', { isEnabled: false }],
    ['is removed', { isRemoved: true }],
    ['has its schedule off', { scheduleType: 'Disabled' as const }],
    ['follows another one', { scheduleType: 'Chained' as const }],
    ['runs continuously', { scheduleType: 'Continuously' as const }],
    ['runs by the month', { scheduleType: 'Monthly' as const }],
    ['has an interval, so that it is due by that', { intervalMs: DAY_MS }],
  ])('never: one that %s', (_name, given) => {
    expect(expected(given, nights, 20 * 24)).toBeNull();
  });
});

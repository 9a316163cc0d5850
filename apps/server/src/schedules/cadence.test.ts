import { describe, expect, it } from 'vitest';
import { type Cadence, cadenceOf, gracePeriodMs, nextSlots, slotsBetween, toleranceOf } from './cadence.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Monday, 2 March 2026, 22:00 UTC. */
const MONDAY = Date.UTC(2026, 2, 2, 22);

function everyMs(intervalMs: number): Cadence {
  return { intervalMs, guessedFrom: null };
}

function guessed(starts: readonly number[]): Cadence {
  const cadence = cadenceOf(null, () => starts);
  if (cadence === null) throw new Error('These starts have no cadence.');
  return cadence;
}

/** Starts every day from so many days before the Monday up to another. */
function nights(fromDaysAgo: number, toDaysAgo: number): number[] {
  return Array.from({ length: fromDaysAgo - toDaysAgo + 1 }, (_, index) => MONDAY - (fromDaysAgo - index) * DAY_MS);
}

function isWorkDay(at: number): boolean {
  return ![0, 6].includes(new Date(at).getUTCDay());
}

describe('the cadence of a job', () => {
  it('is the interval of its schedule, without reading its runs', () => {
    const cadence = cadenceOf(DAY_MS, () => {
      throw new Error('The runs were looked at.');
    });
    expect(cadence).toEqual(everyMs(DAY_MS));
  });

  it('is the median time between its runs where its source reports no interval', () => {
    const starts = [0, 6, 12, 18.5, 24].map((hours) => MONDAY + hours * HOUR_MS);
    expect(guessed(starts).intervalMs).toBe(6 * HOUR_MS);
  });

  it.each([
    ['less than four runs', [0, 1, 2]],
    ['months, which differ in length', [0, 31, 61, 92, 122]],
    ['runs that began together', [0, 0, 0, 0, 0]],
  ])('is not guessed from %s', (_name, days) => {
    expect(cadenceOf(null, () => days.map((day) => MONDAY + day * DAY_MS))).toBeNull();
  });

  it('is unknown when a schedule names less than a minute', () => {
    expect(cadenceOf(1_000, () => nights(9, 0))).toBeNull();
  });
});

describe('how late a run may be', () => {
  it.each([
    ['half of the interval', everyMs(10 * HOUR_MS), 5 * HOUR_MS],
    ['30 minutes at least', everyMs(10 * MINUTE_MS), 30 * MINUTE_MS],
    ['12 hours at most', everyMs(30 * DAY_MS), 12 * HOUR_MS],
    ['12 hours where no interval is known', null, 12 * HOUR_MS],
  ])('is %s', (_name, cadence, expected) => {
    expect(gracePeriodMs(cadence)).toBe(expected);
  });
});

describe('which runs are those of a slot', () => {
  it.each([
    ['an hourly job: up to the middle between two slots', HOUR_MS, 10, 30],
    ['a daily job: up to the middle between two slots', DAY_MS, 10, 12 * 60],
    ['a weekly job: a day, although it is reported after half a day', 7 * DAY_MS, 10, 24 * 60],
    ['a job that runs every ten minutes: within its grace period', 10 * MINUTE_MS, 5, 30],
  ])('of %s', (_name, intervalMs, earlyMinutes, lateMinutes) => {
    const expected = { earlyMs: earlyMinutes * MINUTE_MS, lateMs: lateMinutes * MINUTE_MS };
    expect(toleranceOf(everyMs(intervalMs))).toEqual(expected);
  });
});

describe('the slots of a job', () => {
  it('skip the weekend of a job that rests then', () => {
    const workDays = guessed(nights(27, 0).filter(isWorkDay));
    const friday = MONDAY + 4 * DAY_MS;
    expect(nextSlots(workDays, friday, 2)).toEqual([friday + 3 * DAY_MS, friday + 4 * DAY_MS]);
  });

  it('skip no days while the history is too short', () => {
    expect(nextSlots(guessed(nights(3, 0)), MONDAY, 1)).toEqual([MONDAY + DAY_MS]);
  });

  it('include weekends when the schedule names the interval', () => {
    const slots = nextSlots(everyMs(DAY_MS), MONDAY, 60);
    expect(slots).toHaveLength(60);
    expect(slots.at(-1)).toBe(MONDAY + 60 * DAY_MS);
  });

  it('include the same weekday a week after a holiday', () => {
    const withHoliday = guessed(nights(27, 0).filter((at) => isWorkDay(at) && at !== MONDAY - 6 * DAY_MS));
    expect(nextSlots(withHoliday, MONDAY, 1)).toEqual([MONDAY + DAY_MS]);
  });
});

describe('the slots between two runs', () => {
  it('are those that neither fills', () => {
    const slots = slotsBetween(everyMs(DAY_MS), MONDAY, MONDAY + 3 * DAY_MS + HOUR_MS, 60);
    expect(slots).toEqual([MONDAY + DAY_MS, MONDAY + 2 * DAY_MS]);
  });

  it('include a slot only when the later run begins after its tolerance', () => {
    const { lateMs } = toleranceOf(everyMs(7 * DAY_MS));
    const slot = MONDAY + 7 * DAY_MS;
    expect(slotsBetween(everyMs(7 * DAY_MS), MONDAY, slot + lateMs - 1, 60)).toEqual([]);
    expect(slotsBetween(everyMs(7 * DAY_MS), MONDAY, slot + lateMs, 60)).toEqual([slot]);
  });

  it('are at most the last 60', () => {
    const slots = slotsBetween(everyMs(HOUR_MS), MONDAY, MONDAY + 40 * DAY_MS, 60);
    expect(slots).toHaveLength(60);
    expect(slots.at(-1)).toBe(MONDAY + 40 * DAY_MS - HOUR_MS);
  });

  it('skip the first weekend of a history when the next one shows that the job rests', () => {
    const workDays = nights(27, 0).filter(isWorkDay);
    const friday = workDays.find((at) => new Date(at).getUTCDay() === 5) ?? 0;
    expect(slotsBetween(guessed(workDays), friday, friday + 3 * DAY_MS, 60)).toEqual([]);
  });
});

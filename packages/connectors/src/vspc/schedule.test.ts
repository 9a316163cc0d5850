import { describe, expect, it } from 'vitest';
import { scheduleSchema, toIntervalMs, toScheduleType } from './schedule.ts';

const DAY_MS = 24 * 3_600_000;

function daily(kind: string, days: string[] = []) {
  return toIntervalMs('Daily', scheduleSchema.parse({ dailyScheduleOptions: { kind, days } }));
}

function periodically(kind: string, fullPeriod: number | null) {
  return toIntervalMs('Periodically', scheduleSchema.parse({ periodicallyScheduleOptions: { kind, fullPeriod } }));
}

describe('the schedule of a job', () => {
  it('is ours by the vendor’s word, and Disabled when switched off or not scheduled', () => {
    expect(
      ['Daily', 'Monthly', 'Continuously', 'Periodically', 'Chained'].map((type) => toScheduleType(type, true)),
    ).toEqual(['Daily', 'Monthly', 'Continuously', 'Periodically', 'Chained']);
    expect(toScheduleType('Daily', false)).toBe('Disabled');
    expect(toScheduleType('NotScheduled', true)).toBe('Disabled');
    expect([toScheduleType('Unknown', true), toScheduleType('BackupWindow', true), toScheduleType(null, true)]).toEqual(
      [null, null, null],
    );
  });

  it('has an interval where all its runs are equally far apart', () => {
    expect(daily('Everyday')).toBe(DAY_MS);
    expect(daily('SelectedDays', ['Monday'])).toBe(7 * DAY_MS);
    expect(periodically('Hours', 4)).toBe(4 * 3_600_000);
    expect(periodically('Minutes', 15)).toBe(900_000);
    expect(periodically('Days', 2)).toBe(2 * DAY_MS);
  });

  it('has none where they are not, so that a weekend is not a missed run', () => {
    expect(daily('WeekDays')).toBeNull();
    expect(daily('SelectedDays', ['Monday', 'Friday'])).toBeNull();
    expect(periodically('Unknown', 4)).toBeNull();
    expect(periodically('Hours', null)).toBeNull();
    expect(toIntervalMs('Monthly', null)).toBeNull();
    expect(toIntervalMs('Daily', undefined)).toBeNull();
  });
});

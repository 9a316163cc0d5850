import { UTC_CLOCK } from '@keepwatch/contract/backup-days/backup-day';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../foundation/errors.ts';
import { dayAfter, daysBefore, daysBetween, daysOf, rangeOrLastDays, reportDays } from './report-range.ts';

const NOW = new Date('2026-03-02T08:00:00.000Z');
const range = (from: string, to: string) => ({ from: `${from}:00.000Z`, to: `${to}:00.000Z` });

describe('a range of a report', () => {
  it('touches the days of both its ends, over the end of a month and of a leap February', () => {
    expect(daysOf(UTC_CLOCK, range('2024-02-28T23:59', '2024-03-01T00:00'))).toEqual({
      firstDay: '2024-02-28',
      lastDay: '2024-03-01',
      count: 3,
    });
    expect(daysOf(UTC_CLOCK, range('2026-01-01T00:00', '2026-01-01T23:59')).count).toBe(1);
  });

  it('touches the days of the clock by which the provider counts', () => {
    const night = { timeZone: 'Europe/Berlin', beginHour: 18 };
    expect(daysOf(night, range('2026-01-05T17:00', '2026-01-06T16:59'))).toEqual({
      firstDay: '2026-01-05',
      lastDay: '2026-01-05',
      count: 1,
    });
    expect(daysOf(night, range('2026-01-05T16:59', '2026-01-06T17:00')).count).toBe(3);
  });

  it('is preceded by as many days, which end where it begins', () => {
    const days = daysOf(UTC_CLOCK, range('2026-03-01T10:00', '2026-03-02T10:00'));
    expect(daysBefore(days)).toEqual({ firstDay: '2026-02-27', lastDay: '2026-02-28', count: 2 });
  });

  it('counts days the same in both directions', () => {
    const day = fc.date({ min: new Date('2000-01-01'), max: new Date('2099-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(day, fc.integer({ min: 0, max: 400 }), (date, count) => {
        const first = date.toISOString().slice(0, 10);
        expect(daysBetween(first, dayAfter(first, count))).toBe(count);
        expect(dayAfter(dayAfter(first, count), -count)).toBe(first);
      }),
    );
  });

  it('is filled with the last days where an end is not given', () => {
    expect(rangeOrLastDays({}, NOW, 2)).toEqual({ from: '2026-02-28T08:00:00.000Z', to: NOW.toISOString() });
    expect(rangeOrLastDays({ to: '2026-01-03T00:00:00.000Z' }, NOW, 2).from).toBe('2026-01-01T00:00:00.000Z');
  });

  it('is refused where it ends before it begins or touches too many days', () => {
    expect(() => reportDays(UTC_CLOCK, range('2026-03-02T00:00', '2026-03-01T00:00'))).toThrow(Refusal);
    expect(() => reportDays(UTC_CLOCK, range('2024-01-01T00:00', '2026-03-01T00:00'))).toThrow(/400 days/);
    // 62 times 24 hours from noon to noon touch 63 days.
    expect(() => reportDays(UTC_CLOCK, range('2026-01-01T12:00', '2026-03-04T12:00'), 62)).toThrow(/62 days/);
    expect(reportDays(UTC_CLOCK, range('2026-01-01T00:00', '2026-03-03T23:59'), 62).count).toBe(62);
  });
});

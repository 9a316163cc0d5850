import { type BackupClock, dayOf, startOfDay } from '@keepwatch/contract/backup-days/backup-day';
import { invalid } from '../foundation/errors.ts';

const DAY_MS = 86_400_000;
/** Days are those of a time zone: when the clocks change, one has 25 hours. */
const HOUR_MS = 3_600_000;
/** Longest range of a report. */
export const RANGE_DAYS_MAX = 400;

export interface ReportRange {
  from: string;
  to: string;
}

/**
 * Returns the requested range and fills a missing end with the last `days` days. Throws 422 for one that ends before it
 * begins or is too long.
 */
export function rangeOrLastDays(
  asked: { from?: string | undefined; to?: string | undefined },
  now: Date,
  days: number,
): ReportRange {
  const to = asked.to ?? now.toISOString();
  return checkedRange(
    { from: asked.from ?? new Date(Date.parse(to) - days * DAY_MS).toISOString(), to },
    RANGE_DAYS_MAX,
  );
}

/** Returns the range. Throws 422 for one that ends before it begins or is longer than `daysMax` days. */
export function checkedRange(range: ReportRange, daysMax: number): ReportRange {
  const lengthMs = Date.parse(range.to) - Date.parse(range.from);
  if (lengthMs < 0) throw invalid([{ path: 'query.to', message: 'must not be before from' }]);
  if (lengthMs > daysMax * DAY_MS + HOUR_MS)
    throw invalid([{ path: 'query.from', message: `must be at most ${daysMax} days before to` }]);
  return range;
}

/** Whole days of a clock: the first, the last, and how many. */
export interface Days {
  firstDay: string;
  lastDay: string;
  count: number;
}

/** Returns the days of a clock that a range touches. */
export function daysOf(clock: BackupClock, range: ReportRange): Days {
  const firstDay = dayOf(clock, Date.parse(range.from));
  const lastDay = dayOf(clock, Date.parse(range.to));
  return { firstDay, lastDay, count: daysBetween(firstDay, lastDay) + 1 };
}

/** Returns the days of a report. Throws 422 for a range that touches more than `daysMax` or ends before it begins. */
export function reportDays(clock: BackupClock, range: ReportRange, daysMax = RANGE_DAYS_MAX): Days {
  const days = daysOf(clock, checkedRange(range, daysMax));
  if (days.count > daysMax)
    throw invalid([{ path: 'query.from', message: `must be at most ${daysMax} days before to` }]);
  return days;
}

/** Returns when the days of a clock began, as ISO text. */
export function beginOf(clock: BackupClock, { firstDay }: Pick<Days, 'firstDay'>): string {
  return new Date(startOfDay(clock, firstDay)).toISOString();
}

/** Returns the same number of days right before. */
export function daysBefore({ firstDay, count }: Days): Days {
  return { firstDay: dayAfter(firstDay, -count), lastDay: dayAfter(firstDay, -1), count };
}

/** Returns the day `days` after `day`. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Returns how many days `later` is after `earlier`. */
export function daysBetween(earlier: string, later: string): number {
  return Math.round((Date.parse(later) - Date.parse(earlier)) / DAY_MS);
}

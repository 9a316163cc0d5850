import { asUtcMs, offsetMs, type WallTime } from '@keepwatch/contract/backup-days/time-zones';

const DAY_MS = 86_400_000;

/**
 * Returns the instant at which the clocks of a zone show a time. Where a change of clocks shows it twice, it is the first; where it skips
 * it, it is as much later as the clocks are put forward: 2:30 becomes 3:30.
 */
export function instantOf(wall: WallTime, timeZone: string): Date {
  const utc = asUtcMs(wall);
  const before = offsetMs(utc - DAY_MS, timeZone);
  const after = offsetMs(utc + DAY_MS, timeZone);
  const found = [utc - before, utc - after].filter((at) => at + offsetMs(at, timeZone) === utc);
  return new Date(found.length === 0 ? utc - before : Math.min(...found));
}

/** Returns the day of the week of a date, 0 for Monday. */
export function weekdayOf({ year, month, day }: Pick<WallTime, 'year' | 'month' | 'day'>): number {
  return (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7;
}

/** Returns the date some days later. */
export function addDays({ year, month, day, ...time }: WallTime, days: number): WallTime {
  const date = new Date(Date.UTC(year, month - 1, day + days));
  return { ...time, year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** Returns how many days a month has. */
export function daysOfMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

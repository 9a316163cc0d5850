/** A day and time as a clock on the wall of a time zone shows it; months from 1. */
export interface WallTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
}

const DAY_MS = 86_400_000;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const numeric = 'numeric' as const;
  const parts = { year: numeric, month: numeric, day: numeric, hour: numeric, minute: numeric, second: numeric };
  const format = new Intl.DateTimeFormat('en-US', { timeZone, hourCycle: 'h23', ...parts });
  formats.set(timeZone, format);
  return format;
}

/** Whether this machine knows a time zone by that name. */
export function isTimeZone(name: string): boolean {
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** Returns what the clocks of a time zone show at an instant. */
export function wallTimeOf(at: Date, timeZone: string): WallTime {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return { year: of('year'), month: of('month'), day: of('day'), hour: of('hour'), minute: of('minute') };
}

/** How far the clocks of a zone are ahead of UTC at an instant. */
function offsetMs(atMs: number, timeZone: string): number {
  const minuteMs = Math.floor(atMs / 60_000) * 60_000;
  return utcOf(wallTimeOf(new Date(minuteMs), timeZone)) - minuteMs;
}

const utcOf = ({ year, month, day, hour, minute }: WallTime) => Date.UTC(year, month - 1, day, hour, minute);

/**
 * Returns the instant at which the clocks of a zone show a time. Where a change of clocks shows it twice, it is the first; where it skips
 * it, it is as much later as the clocks are put forward: 2:30 becomes 3:30.
 */
export function instantOf(wall: WallTime, timeZone: string): Date {
  const utc = utcOf(wall);
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

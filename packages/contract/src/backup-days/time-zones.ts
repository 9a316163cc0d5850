/** A day and time as a clock on the wall of a time zone shows it; months from 1. */
export interface WallTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
}

const MINUTE_MS = 60_000;
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

/** The wall time as if it were of UTC: what instants of other wall times are compared by. */
export function asUtcMs({ year, month, day, hour, minute }: WallTime): number {
  return Date.UTC(year, month - 1, day, hour, minute);
}

/** How far the clocks of a zone are ahead of UTC at an instant. */
export function offsetMs(atMs: number, timeZone: string): number {
  if (timeZone === 'UTC') return 0;
  const minuteMs = Math.floor(atMs / MINUTE_MS) * MINUTE_MS;
  return asUtcMs(wallTimeOf(new Date(minuteMs), timeZone)) - minuteMs;
}

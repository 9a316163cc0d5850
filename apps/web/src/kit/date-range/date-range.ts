import { formatDay } from '../format/dates.ts';

/**
 * Date ranges are named by a text that can be stored and linked, and that moves with the days: `Last 2 Days`,
 * `This Quarter`, or `2026-01-01..2026-01-31` for a fixed one (specification "portal", part 9). Days are those of the
 * browser's zone; a range goes from the start of its first day to the end of its last (part 5).
 */
export interface DateRange {
  from: Date;
  to: Date;
  /** The text that names it. */
  value: string;
}

export const PRESETS = [
  'Today',
  'Yesterday',
  'Last 2 Days',
  'Last 3 Days',
  'Last 4 Days',
  'Last 5 Days',
  'Last 7 Days',
  'Last 14 Days',
  'Last 30 Days',
  'Last 90 Days',
  'This Month',
  'Last Month',
  'This Quarter',
  'Last Quarter',
  'This Year',
  'Last Year',
] as const;
export type Preset = (typeof PRESETS)[number];

const DAY_MS = 86_400_000;
/** Days of the longest range; the server refuses a longer one. */
export const RANGE_DAYS_MAX = 400;

/** What the daily checks begin with. */
export const DEFAULT_RANGE: Preset = 'Last 2 Days';

/** The range that a text names at this moment, or `null` if it names none or one that is too long. */
export function dateRangeOf(value: string, now: Date): DateRange | null {
  const days = daysOf(value, now);
  if (days === null) return null;
  const [first, last] = days;
  const from = new Date(first.getFullYear(), first.getMonth(), first.getDate());
  const to = new Date(last.getFullYear(), last.getMonth(), last.getDate(), 23, 59, 59, 999);
  return { from, to, value };
}

/** The text of a range of fixed days (`2026-01-31`), in whichever order they are given. */
export function fixedRange(oneDay: string, otherDay: string): string {
  const [first, last] = [oneDay, otherDay].sort();
  return `${first}..${last}`;
}

/** The first and the last of the days that a text names: one day (`2026-01-31`) or a range of them; `null` if it names none. */
export function fixedDays(value: string): [first: string, last: string] | null {
  const [first = '', last = first] = value.split('..');
  return fixedDaysOf(value.includes('..') ? value : fixedRange(value, value)) === null ? null : [first, last];
}

/** A range as people read it: `Last 2 days`; fixed days become `01/25/26 – 01/31/26`. */
export function formatRange(value: string): string {
  const days = fixedDays(value);
  if (days === null) return value.charAt(0) + value.slice(1).toLowerCase();
  const [first, last] = days;
  return first === last ? formatDay(first) : `${formatDay(first)} – ${formatDay(last)}`;
}

const dayOfYear = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });
const dayOfAnyYear = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** UTC days: `Nov 17 (UTC)`, `Nov 9 – Nov 15 (UTC)`; with the year where one of them is not of this year. */
export function formatUtcDays(value: string, now: Date): string {
  const days = fixedDays(value);
  if (days === null) return value;
  const thisYear = String(now.getUTCFullYear());
  const format = days.every((day) => day.startsWith(thisYear)) ? dayOfYear : dayOfAnyYear;
  const [first, last] = days.map((day) => format.format(new Date(day)));
  return `${first === last ? first : `${first} – ${last}`} (UTC)`;
}

/** The text of the last so many days, today included. */
export function lastDays(days: number): string {
  return days === 1 ? 'Today' : `Last ${days} Days`;
}

/** How many days a range of fixed days (`2026-01-31`) has, both included, in whichever order they are given. */
export function countDays(oneDay: string, otherDay: string): number {
  // Counted in UTC, where every day is as long as the others.
  return Math.abs(Date.parse(otherDay) - Date.parse(oneDay)) / DAY_MS + 1;
}

function daysOf(value: string, now: Date): [Date, Date] | null {
  const year = now.getFullYear();
  const month = now.getMonth();
  const quarter = month - (month % 3);
  const daysAgo = (days: number) => new Date(year, month, now.getDate() - days);
  switch (value) {
    case 'Today':
      return [now, now];
    case 'Yesterday':
      return [daysAgo(1), daysAgo(1)];
    case 'This Month':
      return [new Date(year, month, 1), new Date(year, month + 1, 0)];
    case 'Last Month':
      return [new Date(year, month - 1, 1), new Date(year, month, 0)];
    case 'This Quarter':
      return [new Date(year, quarter, 1), new Date(year, quarter + 3, 0)];
    case 'Last Quarter':
      return [new Date(year, quarter - 3, 1), new Date(year, quarter, 0)];
    case 'This Year':
      return [new Date(year, 0, 1), new Date(year, 12, 0)];
    case 'Last Year':
      return [new Date(year - 1, 0, 1), new Date(year, 0, 0)];
  }
  const last = /^Last ([1-9]\d{0,2}) Days$/.exec(value);
  if (last !== null) return Number(last[1]) > RANGE_DAYS_MAX ? null : [daysAgo(Number(last[1]) - 1), now];
  return fixedDaysOf(value);
}

function fixedDaysOf(value: string): [Date, Date] | null {
  const [firstText = '', lastText = '', more] = value.split('..');
  const [first, last] = [dayOf(firstText), dayOf(lastText)];
  if (first === null || last === null || more !== undefined) return null;
  return first <= last && countDays(firstText, lastText) <= RANGE_DAYS_MAX ? [first, last] : null;
}

/** `2026-01-31` in the browser's zone; `null` for anything else, the 31st of June included. */
function dayOf(text: string): Date | null {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return null;
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  const date = new Date(year, month - 1, day);
  return date.getMonth() === month - 1 && year >= 2000 && year < 2100 ? date : null;
}

import { type BackupClock, dayNumber, dayOf, dayText, rangeOfDays } from '@keepwatch/contract/backup-days/backup-day';
import { formatDay } from '../format/dates.ts';
import { zoneWord } from '../format/zones.ts';

/** First and last instant of a range of whole days, as ISO texts: what the server is asked for. */
export interface DayRange {
  from: string;
  to: string;
}

/**
 * Date ranges are named by a text that can be stored and linked, and that moves with the days: `Last 2 Days`,
 * `This Quarter`, or `2026-01-01..2026-01-31` for a fixed one (specification "portal", part 9). Days are those of a clock,
 * the provider's nearly everywhere; a range goes from the start of its first day to the end of its last (part 5).
 */
export interface DateRange extends DayRange {
  /** `2026-01-01`. */
  firstDay: string;
  lastDay: string;
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

/** Days of the longest range; the server refuses a longer one. */
export const RANGE_DAYS_MAX = 400;

/** What the daily checks begin with. */
export const DEFAULT_RANGE: Preset = 'Last 2 Days';

/** The range of days of a clock that a text names at this moment, or `null` if it names none or one that is too long. */
export function dateRangeOf(value: string, now: Date, clock: BackupClock): DateRange | null {
  const days = daysOf(value, dayOf(clock, now.getTime()));
  if (days === null) return null;
  const [firstDay, lastDay] = days;
  return { ...rangeOfDays(clock, firstDay, lastDay), firstDay, lastDay };
}

/** The same, with the usual range for a text that names none. */
export function knownRangeOf(value: string, now: Date, clock: BackupClock): DateRange {
  const range = dateRangeOf(value, now, clock) ?? dateRangeOf(DEFAULT_RANGE, now, clock);
  if (range === null) throw new Error('The usual range names days.');
  return range;
}

/** Whether a text names a range, which does not depend on the moment. */
export function namesRange(value: string): boolean {
  return daysOf(value, '2000-01-01') !== null;
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

/** Days of a time zone: `Nov 17 (Berlin)`, `Nov 9 – Nov 15 (UTC)`; with the year where one of them is not of this year. */
export function formatDays(value: string, now: Date, timeZone: string): string {
  const days = fixedDays(value);
  if (days === null) return value;
  const thisYear = String(now.getUTCFullYear());
  const format = days.every((day) => day.startsWith(thisYear)) ? dayOfYear : dayOfAnyYear;
  const [first, last] = days.map((day) => format.format(new Date(day)));
  return `${first === last ? first : `${first} – ${last}`} (${zoneWord(timeZone)})`;
}

/** The text of the last so many days, today included. */
export function lastDays(days: number): string {
  return days === 1 ? 'Today' : `Last ${days} Days`;
}

/** How many days a range of fixed days (`2026-01-31`) has, both included, in whichever order they are given. */
export function countDays(oneDay: string, otherDay: string): number {
  return Math.abs(dayNumber(otherDay) - dayNumber(oneDay)) + 1;
}

/** The first and the last day that a text names on a day. All of it is about names of days, which no time zone changes. */
function daysOf(value: string, today: string): [string, string] | null {
  const year = Number(today.slice(0, 4));
  const month = Number(today.slice(5, 7)) - 1;
  const quarter = month - (month % 3);
  const daysAgo = (days: number) => dayText(dayNumber(today) - days);
  const months = (first: number, count: number): [string, string] => [
    monthBegin(year, first),
    dayText(dayNumber(monthBegin(year, first + count)) - 1),
  ];
  switch (value) {
    case 'Today':
      return [today, today];
    case 'Yesterday':
      return [daysAgo(1), daysAgo(1)];
    case 'This Month':
      return months(month, 1);
    case 'Last Month':
      return months(month - 1, 1);
    case 'This Quarter':
      return months(quarter, 3);
    case 'Last Quarter':
      return months(quarter - 3, 3);
    case 'This Year':
      return months(0, 12);
    case 'Last Year':
      return months(-12, 12);
  }
  const last = /^Last ([1-9]\d{0,2}) Days$/.exec(value);
  if (last !== null) return Number(last[1]) > RANGE_DAYS_MAX ? null : [daysAgo(Number(last[1]) - 1), today];
  return fixedDaysOf(value);
}

/** The first day of a month, which may be before January or after December. */
function monthBegin(year: number, month: number): string {
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10);
}

function fixedDaysOf(value: string): [string, string] | null {
  const [first = '', last = '', more] = value.split('..');
  if (!isDay(first) || !isDay(last) || more !== undefined) return null;
  return first <= last && countDays(first, last) <= RANGE_DAYS_MAX ? [first, last] : null;
}

/** `2026-01-31`, between 2000 and 2099; not the 31st of June. */
function isDay(text: string): boolean {
  if (!/^20\d\d-\d\d-\d\d$/.test(text)) return false;
  const at = Date.parse(text);
  return Number.isFinite(at) && dayText(dayNumber(text)) === text;
}

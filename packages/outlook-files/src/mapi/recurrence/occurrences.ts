import type { Recurrence, RecurrencePattern, Weekday, WeekOfMonth } from '../../recurrence.ts';

const WEEKDAYS: readonly Weekday[] = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const DAY = 86_400_000;
/** A pattern that never matches, such as 31 June, must not be looked for until the end of time. */
const MOST_CYCLES_WITHOUT_MATCH = 1_000;

/** 0 is Sunday. */
export function weekdayNumber(day: Weekday): number {
  return WEEKDAYS.indexOf(day);
}

/** Days since 1970 of `YYYY-MM-DD`. */
export function dayNumber(date: string): number {
  const time = Date.parse(`${date.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(time)) {
    throw new RangeError(`"${date}" is not a calendar day; write it as YYYY-MM-DD.`);
  }
  return time / DAY;
}

export function dayStart(day: number): Date {
  return new Date(day * DAY);
}

/** The days of a series, as days since 1970, in order; without end where the series has none. */
export function* occurrences(recurrence: Recurrence): Generator<number> {
  const { pattern, range } = recurrence;
  const first = dayNumber(range.startDate);
  const last = range.type === 'endDate' ? dayNumber(range.endDate) : Number.POSITIVE_INFINITY;
  const most = range.type === 'numbered' ? range.numberOfOccurrences : Number.POSITIVE_INFINITY;
  let count = 0;
  let barren = 0;
  for (let cycle = 0; barren < MOST_CYCLES_WITHOUT_MATCH; cycle += 1) {
    const days = daysOfCycle(pattern, first, cycle).filter((day) => day >= first);
    barren = days.length > 0 ? 0 : barren + 1;
    for (const day of days) {
      if (day > last || count === most) {
        return;
      }
      count += 1;
      yield day;
    }
  }
}

/** The matching days of the n-th day, week, month or year of a pattern, in order. */
function daysOfCycle(pattern: RecurrencePattern, first: number, cycle: number): number[] {
  const interval = Math.max(1, pattern.interval);
  switch (pattern.type) {
    case 'daily':
      return [first + cycle * interval];
    case 'weekly': {
      const week = weekStart(first, pattern.firstDayOfWeek ?? 'sunday') + cycle * interval * 7;
      const weekdays = new Set(pattern.daysOfWeek.map(weekdayNumber));
      return [0, 1, 2, 3, 4, 5, 6].map((offset) => week + offset).filter((day) => weekdays.has(weekdayOf(day)));
    }
    case 'absoluteMonthly':
      return dayOfMonth(monthOf(first) + cycle * interval, pattern.dayOfMonth);
    case 'absoluteYearly':
      return dayOfMonth(yearMonth(first, pattern.month, cycle * interval), pattern.dayOfMonth);
    case 'relativeMonthly':
      return nthOfMonth(monthOf(first) + cycle * interval, pattern.daysOfWeek, pattern.index);
    case 'relativeYearly':
      return nthOfMonth(yearMonth(first, pattern.month, cycle * interval), pattern.daysOfWeek, pattern.index);
  }
}

/** The day a day's week begins with. */
export function weekStart(day: number, firstDayOfWeek: Weekday): number {
  return day - ((weekdayOf(day) - weekdayNumber(firstDayOfWeek) + 7) % 7);
}

function weekdayOf(day: number): number {
  return dayStart(day).getUTCDay();
}

/** Months since the year 0. */
function monthOf(day: number): number {
  const date = dayStart(day);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function yearMonth(first: number, month: number, years: number): number {
  return (dayStart(first).getUTCFullYear() + years) * 12 + month - 1;
}

function monthStart(month: number): number {
  const date = new Date(0);
  date.setUTCFullYear(Math.floor(month / 12), month % 12, 1); // Date.UTC would read years below 100 as 1900 and later
  return date.getTime() / DAY;
}

function daysIn(month: number): { start: number; length: number } {
  const start = monthStart(month);
  return { start, length: monthStart(month + 1) - start };
}

/** Outlook uses the last day of a month that is too short. */
function dayOfMonth(month: number, day: number): number[] {
  const { start, length } = daysIn(month);
  return [start + Math.min(day, length) - 1];
}

const INDEX: Readonly<Record<WeekOfMonth, number>> = { first: 0, second: 1, third: 2, fourth: 3, last: -1 };

function nthOfMonth(month: number, daysOfWeek: readonly Weekday[], index: WeekOfMonth): number[] {
  const { start, length } = daysIn(month);
  const weekdays = new Set(daysOfWeek.map(weekdayNumber));
  const matching = Array.from({ length }, (_, offset) => start + offset).filter((day) => weekdays.has(weekdayOf(day)));
  const day = matching.at(INDEX[index]);
  return day === undefined ? [] : [day];
}

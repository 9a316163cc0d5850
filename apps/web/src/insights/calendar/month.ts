import { type UtcDays, utcDayOf } from '../../kit/utc-day.ts';

/** A calendar month as in the address: `2026-03`. Days and months are of UTC, as the server counts them. */
export type Month = `${number}-${string}`;

export interface MonthDay {
  /** `2026-03-09`. */
  day: string;
  /** Of the month, from 1. */
  number: number;
  weekday: string;
  isWeekend: boolean;
  isToday: boolean;
  isFuture: boolean;
}

const DAY_MS = 86_400_000;
const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

export function monthOf(at: Date): Month {
  return toMonth(at.getUTCFullYear(), at.getUTCMonth());
}

/** The month a text names, within the years the server accepts; `null` for any other text. */
export function readMonth(text: string): Month | null {
  const [, year, month] = /^(20\d\d)-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  return year === undefined || month === undefined ? null : toMonth(Number(year), Number(month) - 1);
}

/** So many months later, or earlier where negative. */
export function addMonths(month: Month, count: number): Month {
  const first = firstInstant(month);
  const moved = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + count, 1));
  return monthOf(moved);
}

/** `March 2026`. */
export function formatMonth(month: Month): string {
  return monthName.format(firstInstant(month));
}

/** First and last instant of the month, as a report's range. */
export function rangeOfMonth(month: Month): UtcDays {
  const after = firstInstant(addMonths(month, 1));
  return { from: firstInstant(month).toISOString(), to: new Date(after.getTime() - 1).toISOString() };
}

export function daysOfMonth(month: Month, now: Date): MonthDay[] {
  const { from, to } = rangeOfMonth(month);
  const first = Date.parse(from);
  const count = Math.ceil((Date.parse(to) - first) / DAY_MS);
  const today = utcDayOf(now);
  return Array.from({ length: count }, (_, place) => dayAt(new Date(first + place * DAY_MS), today));
}

function dayAt(at: Date, today: string): MonthDay {
  const day = utcDayOf(at);
  return {
    day,
    number: at.getUTCDate(),
    weekday: WEEKDAYS[at.getUTCDay()] ?? '',
    isWeekend: at.getUTCDay() % 6 === 0,
    isToday: day === today,
    isFuture: day > today,
  };
}

function toMonth(year: number, monthIndex: number): Month {
  return `${year}-${String(monthIndex + 1).padStart(2, '0')}`;
}

function firstInstant(month: Month): Date {
  return new Date(`${month}-01T00:00:00.000Z`);
}

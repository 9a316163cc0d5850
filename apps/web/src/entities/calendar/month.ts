import { type BackupClock, dayNumber, dayText, rangeOfDays } from '@keepwatch/contract/backup-days/backup-day';
import type { DayRange } from '../../kit/date-range/date-range.ts';

/** A calendar month as in the address: `2026-03`. */
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

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const monthName = new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** The month of a day. */
export function monthOf(day: string): Month {
  return toMonth(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1);
}

/** The month a text names, within the years the server accepts; `null` for any other text. */
export function readMonth(text: string): Month | null {
  const [, year, month] = /^(20\d\d)-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  return year === undefined || month === undefined ? null : toMonth(Number(year), Number(month) - 1);
}

/** So many months later, or earlier where negative. */
export function addMonths(month: Month, count: number): Month {
  const first = new Date(`${month}-01`);
  const moved = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + count, 1));
  return toMonth(moved.getUTCFullYear(), moved.getUTCMonth());
}

/** `March 2026`. */
export function formatMonth(month: Month): string {
  return monthName.format(new Date(`${month}-01`));
}

/** First and last instant of the month by a clock, as a report's range. */
export function rangeOfMonth(month: Month, clock: BackupClock): DayRange {
  return rangeOfDays(clock, `${month}-01`, dayText(dayNumber(`${addMonths(month, 1)}-01`) - 1));
}

/** The days of a month; `today` is the day that it is. */
export function daysOfMonth(month: Month, today: string): MonthDay[] {
  const first = dayNumber(`${month}-01`);
  const count = dayNumber(`${addMonths(month, 1)}-01`) - first;
  return Array.from({ length: count }, (_, place) => dayAt(dayText(first + place), today));
}

function dayAt(day: string, today: string): MonthDay {
  const at = new Date(day);
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

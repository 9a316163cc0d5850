import type { Recurrence, RecurrencePattern, Weekday, WeekOfMonth } from '../../recurrence.ts';
import { ByteWriter } from '../byte-writer.ts';
import { minutesSince1601 } from '../filetime.ts';
import { dayNumber, dayStart, occurrences, weekdayNumber, weekStart } from './occurrences.ts';

const VERSION = 0x3004;
const FREQUENCY = { daily: 0x200a, weekly: 0x200b, monthly: 0x200c, yearly: 0x200d } as const;
const PATTERN = { day: 0, week: 1, month: 2, monthNth: 3 } as const;
const END = { onDate: 0x2021, afterCount: 0x2022, never: 0x2023 } as const;
const NEVER_ENDS = 0x5ae980df;
/** What Outlook writes as count of a series without end. */
const ENDLESS_COUNT = 10;
/** Occurrences of a series are counted up to this many: longer ones end far beyond any calendar. */
const MOST_COUNTED = 100_000;
const MINUTES_PER_DAY = 1_440;
const NTH: Readonly<Record<WeekOfMonth, number>> = { first: 1, second: 2, third: 3, fourth: 4, last: 5 };

/** Days as minutes since 1601, at midnight on the wall. */
export interface ChangedDays {
  /** Days that are no longer as the pattern has them: removed or moved. */
  deleted: readonly number[];
  /** Days to which moved ones went. */
  modified: readonly number[];
}

/** RecurrencePattern, [MS-OXOCAL] 2.2.1.44.1. */
export function recurrencePattern(recurrence: Recurrence, changed: ChangedDays): Buffer {
  const { pattern } = recurrence;
  const shape = shapeOf(pattern, occurrences(recurrence).next().value ?? dayNumber(recurrence.range.startDate));
  const end = endOf(recurrence);
  return new ByteWriter()
    .u16(VERSION)
    .u16(VERSION)
    .u16(shape.frequency)
    .u16(shape.type)
    .u16(0) // the Gregorian calendar
    .u32(shape.firstDateTime, shape.period, 0, ...shape.specific)
    .u32(end.type, end.count, weekdayNumber(firstDayOfWeek(pattern)))
    .u32(changed.deleted.length, ...changed.deleted)
    .u32(changed.modified.length, ...changed.modified)
    .u32(end.firstDay, end.lastDay)
    .toBuffer();
}

/** The type of recurrence as PidLidRecurrenceType names it. */
export function recurrenceType(pattern: RecurrencePattern): number {
  return shapeOf(pattern, 0).frequency - FREQUENCY.daily + 1;
}

export function minutesOfDay(day: number): number {
  return minutesSince1601(dayStart(day));
}

function firstDayOfWeek(pattern: RecurrencePattern): Weekday {
  return pattern.type === 'weekly' ? (pattern.firstDayOfWeek ?? 'sunday') : 'sunday';
}

function shapeOf(pattern: RecurrencePattern, first: number) {
  const interval = Math.max(1, pattern.interval);
  switch (pattern.type) {
    case 'daily': {
      const period = interval * MINUTES_PER_DAY;
      const firstDateTime = minutesOfDay(first) % period;
      return { frequency: FREQUENCY.daily, type: PATTERN.day, period, firstDateTime, specific: [] };
    }
    case 'weekly': {
      const start = minutesOfDay(weekStart(first, firstDayOfWeek(pattern)));
      const firstDateTime = start % (interval * 7 * MINUTES_PER_DAY);
      const specific = [weekdayBits(pattern.daysOfWeek)];
      return { frequency: FREQUENCY.weekly, type: PATTERN.week, period: interval, firstDateTime, specific };
    }
    case 'absoluteMonthly':
      return byMonth(FREQUENCY.monthly, PATTERN.month, interval, first, [pattern.dayOfMonth]);
    case 'absoluteYearly':
      return byMonth(FREQUENCY.yearly, PATTERN.month, interval * 12, first, [pattern.dayOfMonth]);
    case 'relativeMonthly':
      return byMonth(FREQUENCY.monthly, PATTERN.monthNth, interval, first, nth(pattern));
    case 'relativeYearly':
      return byMonth(FREQUENCY.yearly, PATTERN.monthNth, interval * 12, first, nth(pattern));
  }
}

function nth(pattern: { daysOfWeek: readonly Weekday[]; index: WeekOfMonth }): number[] {
  return [weekdayBits(pattern.daysOfWeek), NTH[pattern.index]];
}

function weekdayBits(days: readonly Weekday[]): number {
  return days.reduce((bits, day) => bits | (1 << weekdayNumber(day)), 0);
}

/** Of patterns by month the first date is a month after January 1601, as far as the period leaves. */
function byMonth(frequency: number, type: number, period: number, first: number, specific: number[]) {
  const start = dayStart(first);
  const months = (start.getUTCFullYear() - 1601) * 12 + start.getUTCMonth();
  const firstDateTime = minutesSince1601(new Date(Date.UTC(1601, months % period, 1)));
  return { frequency, type, period, firstDateTime, specific };
}

/** How the series ends, and the first and last day it has. */
function endOf(recurrence: Recurrence) {
  const { range } = recurrence;
  const days = occurrences(recurrence);
  if (range.type === 'noEnd') {
    const first = days.next().value ?? dayNumber(range.startDate);
    return { type: END.never, count: ENDLESS_COUNT, firstDay: minutesOfDay(first), lastDay: NEVER_ENDS };
  }
  let firstDay = dayNumber(range.startDate);
  let lastDay = firstDay;
  let count = 0;
  for (const day of days) {
    firstDay = count === 0 ? day : firstDay;
    lastDay = day;
    count += 1;
    if (count === MOST_COUNTED) {
      break;
    }
  }
  const type = range.type === 'endDate' ? END.onDate : END.afterCount;
  return { type, count, firstDay: minutesOfDay(firstDay), lastDay: minutesOfDay(lastDay) };
}

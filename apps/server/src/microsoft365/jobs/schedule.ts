import type { DAILY_TYPES, JobSchedule } from '@keepwatch/connectors/ports/microsoft365-engine';
import { type WallTime, wallTimeOf } from '@keepwatch/contract/backup-days/time-zones';
import { addDays, daysOfMonth, instantOf, weekdayOf } from './zoned-time.ts';

/** So that a job which ends at once, because it fails or has nothing to do, does not run in a loop. */
const CONTINUOUS_PAUSE_MS = 60_000;
const HOUR_MS = 3_600_000;
const WEEK_HOURS = 168;
/** A day kind comes within a week, a day of the month within two months. */
const DAYS_AHEAD = 8;
const MONTHS_AHEAD = 2;

const DAYS: Readonly<Record<(typeof DAILY_TYPES)[number], readonly number[]>> = {
  Everyday: [0, 1, 2, 3, 4, 5, 6],
  Workdays: [0, 1, 2, 3, 4],
  Weekends: [5, 6],
  Monday: [0],
  Tuesday: [1],
  Wednesday: [2],
  Thursday: [3],
  Friday: [4],
  Saturday: [5],
  Sunday: [6],
};

/**
 * Returns when a job is to run next.
 * @param after its last start, or the present for one that is new
 * @returns `null` for a job that runs by no time of its own: disabled, after another job, or in a window without an hour
 */
export function nextRun(schedule: JobSchedule, after: Date): Date | null {
  const next = unboundedNext(schedule, after);
  return next === null ? null : nextOpen(schedule, next);
}

function unboundedNext(schedule: JobSchedule, after: Date): Date | null {
  switch (schedule.type) {
    case 'Daily':
      return firstAfter(after, daysFrom(schedule, after), schedule.timeZone);
    case 'Monthly':
      return firstAfter(after, monthsFrom(schedule, after), schedule.timeZone);
    case 'Periodically':
      return new Date(after.getTime() + schedule.everyMinutes * 60_000);
    case 'Continuously':
      return new Date(after.getTime() + CONTINUOUS_PAUSE_MS);
    case 'Chained':
    case 'Disabled':
      return null;
  }
}

function firstAfter(after: Date, walls: Iterable<WallTime>, timeZone: string): Date | null {
  for (const wall of walls) {
    const at = instantOf(wall, timeZone);
    if (at > after) return at;
  }
  return null;
}

function* daysFrom({ dailyType, time, timeZone }: JobSchedule, after: Date): Generator<WallTime> {
  const first = { ...wallTimeOf(after, timeZone), ...timeOf(time) };
  for (let days = 0; days <= DAYS_AHEAD; days += 1) {
    const wall = addDays(first, days);
    if (DAYS[dailyType].includes(weekdayOf(wall))) yield wall;
  }
}

function* monthsFrom({ dayOfMonth, time, timeZone }: JobSchedule, after: Date): Generator<WallTime> {
  const first = wallTimeOf(after, timeZone);
  for (let months = 0; months <= MONTHS_AHEAD; months += 1) {
    const year = first.year + Math.floor((first.month - 1 + months) / 12);
    const month = ((first.month - 1 + months) % 12) + 1;
    yield { year, month, day: Math.min(dayOfMonth, daysOfMonth(year, month)), ...timeOf(time) };
  }
}

function timeOf(time: string): { hour: number; minute: number } {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return { hour, minute };
}

/** Whether a job may run at an instant: its backup window is open, or it has none. */
export function isOpen({ window, timeZone }: Pick<JobSchedule, 'window' | 'timeZone'>, at: Date): boolean {
  if (window === null) return true;
  const wall = wallTimeOf(at, timeZone);
  return window[weekdayOf(wall) * 24 + wall.hour] === true;
}

/** The instant, or the beginning of the next hour in which the window is open. */
export function nextOpen(schedule: Pick<JobSchedule, 'window' | 'timeZone'>, from: Date): Date | null {
  let at = from;
  for (let hours = 0; hours <= WEEK_HOURS; hours += 1) {
    if (isOpen(schedule, at)) return at;
    at = nextHour(at, schedule.timeZone);
  }
  return null;
}

/** The next instant at which the clocks show a whole hour; some zones differ from UTC by half an hour. */
function nextHour(at: Date, timeZone: string): Date {
  const { minute } = wallTimeOf(at, timeZone);
  const wholeMinute = Math.floor(at.getTime() / 60_000) * 60_000;
  return new Date(wholeMinute - minute * 60_000 + HOUR_MS);
}

import { offsetMs } from './time-zones.ts';

/** By what a provider counts days: a backup day begins at this hour of its time zone and ends where the next one begins. */
export interface BackupClock {
  /** As the time zone database names it: `Europe/Berlin`. */
  timeZone: string;
  /** 0 to 23; 18 makes a night one day. */
  beginHour: number;
}

/** What counts for a provider that has chosen nothing. */
export const UTC_CLOCK: BackupClock = { timeZone: 'UTC', beginHour: 0 };

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/** Whether two clocks have the same days. */
export function isSameClock(one: BackupClock, other: BackupClock): boolean {
  return one.timeZone === other.timeZone && one.beginHour === other.beginHour;
}

/** A day (`2026-01-31`) as the number of days since 1970. */
export function dayNumber(day: string): number {
  return Date.parse(day) / DAY_MS;
}

/** The day of such a number. */
export function dayText(number: number): string {
  return new Date(number * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the first instant at which the clocks of the zone show the hour at which the day begins, or a later one. */
export function startOfDay(clock: BackupClock, day: string): number {
  return startOfDayNumber(clock, dayNumber(day));
}

/**
 * Returns the day of an instant: the last one that has begun by then. So a day is always what is between two beginnings, whatever the
 * clocks of the zone do.
 */
export function dayOf(clock: BackupClock, atMs: number): string {
  return dayText(dayNumberOf(clock, atMs));
}

/** First and last instant of a range of whole days, as ISO texts: what reports are asked for. */
export function rangeOfDays(clock: BackupClock, first: string, last = first): { from: string; to: string } {
  const fromMs = startOfDay(clock, first);
  // A day that a zone left out (Samoa, 2011-12-30) is empty, and a range cannot be.
  const toMs = Math.max(fromMs, startOfDayNumber(clock, dayNumber(last) + 1) - 1);
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() };
}

/** `startOfDay` for the number of a day. */
export function startOfDayNumber(clock: BackupClock, number: number): number {
  const wallMs = number * DAY_MS + clock.beginHour * HOUR_MS;
  if (clock.timeZone === 'UTC') return wallMs;
  const starts = startsOf(clock);
  const known = starts.get(number);
  if (known !== undefined) return known;
  const start = firstInstantAt(wallMs, clock.timeZone);
  starts.set(number, start);
  return start;
}

/** `dayOf` as the number of the day. */
export function dayNumberOf(clock: BackupClock, atMs: number): number {
  let number = Math.floor((atMs - clock.beginHour * HOUR_MS) / DAY_MS);
  while (startOfDayNumber(clock, number) > atMs) number -= 1;
  while (startOfDayNumber(clock, number + 1) <= atMs) number += 1;
  return number;
}

/** Beginnings of days, as asking for the offset of a zone takes as long as a hundred sums. */
const startsOfClocks = new Map<string, Map<number, number>>();
const CLOCKS_MAX = 100;

function startsOf({ timeZone, beginHour }: BackupClock): Map<number, number> {
  const key = `${beginHour} ${timeZone}`;
  const known = startsOfClocks.get(key);
  if (known !== undefined) return known;
  if (startsOfClocks.size === CLOCKS_MAX) startsOfClocks.clear();
  const starts = new Map<number, number>();
  startsOfClocks.set(key, starts);
  return starts;
}

/** The first instant at which a zone's clocks show a time (given as if it were of UTC) or a later one. They change once in two days at most. */
function firstInstantAt(wallMs: number, timeZone: string): number {
  const offsetAt = (atMs: number) => offsetMs(atMs, timeZone);
  const [before, after] = [offsetAt(wallMs - DAY_MS), offsetAt(wallMs + DAY_MS)];
  const [byBefore, byAfter] = [wallMs - before, wallMs - after];
  if (before === after || offsetAt(byBefore) === before) return byBefore;
  if (offsetAt(byAfter) === after) return byAfter;
  // The clocks leave the time out: the first instant is that of their change, between the two.
  return changeBetween(byAfter, byBefore, offsetAt);
}

/** The instant from which on the clocks are as they are at `toMs`. */
function changeBetween(fromMs: number, toMs: number, offsetAt: (atMs: number) => number): number {
  let [earlier, later] = [fromMs, toMs];
  const after = offsetAt(toMs);
  while (later - earlier > 1) {
    const middle = Math.floor((earlier + later) / 2);
    if (offsetAt(middle) === after) later = middle;
    else earlier = middle;
  }
  return later;
}

import { type JsonObject, numberOf, objectOf, textOf, textsOf } from '../wire/json.ts';

const dayNames = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const indexes = ['first', 'second', 'third', 'fourth'];
const dayMs = 86_400_000;

/** Days looked at before a series that never comes again is given up. */
const mostDays = 366 * 400;

/**
 * The days (since 1970) of a series from its start to `lastDay`, as a `patternedRecurrence` describes them.
 * Exceptions are no matter of the pattern.
 */
export function* occurrenceDays(recurrence: JsonObject, lastDay: number): Generator<number> {
  const pattern = objectOf(recurrence['pattern']);
  const range = objectOf(recurrence['range']);
  const first = dayOf(textOf(range['startDate']) ?? '');
  const type = textOf(range['type']);
  const end = type === 'endDate' ? Math.min(lastDay, dayOf(textOf(range['endDate']) ?? '')) : lastDay;
  let left = type === 'numbered' ? (numberOf(range['numberOfOccurrences']) ?? 0) : Number.POSITIVE_INFINITY;
  const isMatch = testOf(pattern, first);
  for (let day = first; day <= end && left > 0 && day < first + mostDays; day += 1) {
    if (!isMatch(day)) continue;
    left -= 1;
    yield day;
  }
}

export const dayOf = (date: string): number => Math.floor(Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / dayMs);

export const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);

/** Returns a test whether the pattern matches a day. */
function testOf(pattern: JsonObject, first: number): (day: number) => boolean {
  const interval = Math.max(1, numberOf(pattern['interval']) ?? 1);
  const start = new Date(first * dayMs);
  const months = (date: Date) => date.getUTCFullYear() * 12 + date.getUTCMonth();
  const isInMonth = (date: Date) => (months(date) - months(start)) % interval === 0;
  const isInYear = (date: Date) =>
    (date.getUTCFullYear() - start.getUTCFullYear()) % interval === 0 &&
    date.getUTCMonth() + 1 === (numberOf(pattern['month']) ?? 1);
  const isOnDay = isDayOfMonth(numberOf(pattern['dayOfMonth']) ?? start.getUTCDate());
  const isRelative = isIndexedDay(pattern);
  const tests: Record<string, (date: Date, day: number) => boolean> = {
    daily: (_date, day) => (day - first) % interval === 0,
    weekly: weekly(pattern, first, interval),
    absolutemonthly: (date) => isInMonth(date) && isOnDay(date),
    relativemonthly: (date) => isInMonth(date) && isRelative(date),
    absoluteyearly: (date) => isInYear(date) && isOnDay(date),
    relativeyearly: (date) => isInYear(date) && isRelative(date),
  };
  const test = tests[(textOf(pattern['type']) ?? 'daily').toLowerCase()] ?? (() => false);
  return (day) => test(new Date(day * dayMs), day);
}

function weekly(pattern: JsonObject, first: number, interval: number): (date: Date, day: number) => boolean {
  const days = textsOf(pattern['daysOfWeek']) ?? [];
  const firstDay = Math.max(0, dayNames.indexOf(textOf(pattern['firstDayOfWeek']) ?? 'sunday'));
  // Day 0 (1 January 1970) was a Thursday, 4 days after a Sunday.
  const week = (day: number) => Math.floor((day + 4 - firstDay) / 7);
  return (date, day) => (week(day) - week(first)) % interval === 0 && days.includes(dayNames[date.getUTCDay()] ?? '');
}

/** A day beyond the end of a month means its last. */
function isDayOfMonth(dayNumber: number): (date: Date) => boolean {
  return (date) => {
    const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
    return date.getUTCDate() === Math.min(dayNumber, last);
  };
}

/** Such as the second Tuesday, or the last Friday. */
function isIndexedDay(pattern: JsonObject): (date: Date) => boolean {
  const days = textsOf(pattern['daysOfWeek']) ?? [];
  const index = textOf(pattern['index']) ?? 'first';
  return (date) => {
    if (!days.includes(dayNames[date.getUTCDay()] ?? '')) return false;
    if (index !== 'last') return Math.ceil(date.getUTCDate() / 7) === indexes.indexOf(index) + 1;
    return new Date(date.getTime() + 7 * dayMs).getUTCMonth() !== date.getUTCMonth();
  };
}

import { type UtcDays, wholeDays } from '../utc-day.ts';
import { DEFAULT_RANGE, dateRangeOf } from './date-range.ts';

/**
 * The range that a text names (`Last 7 Days`), in UTC days: the server sums up runs by UTC day, and a range that cut
 * such a day in two would show a bar that is only half there.
 */
export function utcDaysOf(value: string, now: Date): UtcDays {
  // The same calendar day as it is in UTC, so that "today" is the day the server is counting into.
  const today = new Date(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), 12);
  const range = dateRangeOf(value, today) ?? dateRangeOf(DEFAULT_RANGE, today);
  const { from, to } = range ?? { from: today, to: today };
  return wholeDays(dayOf(from), dayOf(to));
}

function dayOf(date: Date): string {
  const month = String(date.getMonth() + 1).padStart(2, '0');
  return `${date.getFullYear()}-${month}-${String(date.getDate()).padStart(2, '0')}`;
}

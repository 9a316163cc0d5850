import { DEFAULT_RANGE, dateRangeOf } from '../kit/date-range/date-range.ts';

/** First and last instant of a range of whole UTC days, as ISO texts. */
export interface UtcDays {
  from: string;
  to: string;
}

/**
 * The range that a text names (`Last 7 Days`), in UTC days: the server sums up runs by UTC day, and a range that cut
 * such a day in two would show a bar that is only half there.
 */
export function utcDaysOf(value: string, now: Date): UtcDays {
  // The same calendar day as it is in UTC, so that "today" is the day the server is counting into.
  const today = new Date(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), 12);
  const range = dateRangeOf(value, today) ?? dateRangeOf(DEFAULT_RANGE, today);
  const { from, to } = range ?? { from: today, to: today };
  return { from: `${dayOf(from)}T00:00:00.000Z`, to: `${dayOf(to)}T23:59:59.999Z` };
}

function dayOf(date: Date): string {
  const month = String(date.getMonth() + 1).padStart(2, '0');
  return `${date.getFullYear()}-${month}-${String(date.getDate()).padStart(2, '0')}`;
}

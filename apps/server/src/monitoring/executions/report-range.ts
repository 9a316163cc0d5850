import { invalid } from '../../foundation/errors.ts';

const DAY_MS = 86_400_000;
/** Longest range of a report. */
export const RANGE_DAYS_MAX = 400;

export interface ReportRange {
  from: string;
  to: string;
}

/** The range asked for, its gaps filled with the last `days` days. Throws 422 for one that ends before it begins or is too long. */
export function rangeOrLastDays(
  asked: { from?: string | undefined; to?: string | undefined },
  now: Date,
  days: number,
): ReportRange {
  const to = asked.to ?? now.toISOString();
  return checkedRange(
    { from: asked.from ?? new Date(Date.parse(to) - days * DAY_MS).toISOString(), to },
    RANGE_DAYS_MAX,
  );
}

/** The range, if it is one of at most `daysMax` days. */
export function checkedRange(range: ReportRange, daysMax: number): ReportRange {
  const lengthMs = Date.parse(range.to) - Date.parse(range.from);
  if (lengthMs < 0) throw invalid([{ path: 'query.to', message: 'must not lie before from' }]);
  if (lengthMs > daysMax * DAY_MS)
    throw invalid([{ path: 'query.from', message: `must lie at most ${daysMax} days before to` }]);
  return range;
}

/** The first day of the range in UTC, and how many days it touches. */
export function daysOf(range: ReportRange): { firstDay: string; lastDay: string; count: number } {
  const firstDay = range.from.slice(0, 10);
  const lastDay = range.to.slice(0, 10);
  return { firstDay, lastDay, count: Math.round((Date.parse(lastDay) - Date.parse(firstDay)) / DAY_MS) + 1 };
}

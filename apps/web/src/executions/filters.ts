import type { State } from '@keepwatch/contract/runs/values';
import { ANY_TIME, type DailyChecksFilters, dailyChecksFilters } from '../entities/daily-checks.ts';
import { DEFAULT_RANGE, dateRangeOf, fixedDays } from '../kit/date-range/date-range.ts';
import { wholeDays } from '../kit/utc-day.ts';

/** What a person has narrowed the list to. */
export type Filters = DailyChecksFilters;

export const DEFAULT_FILTERS: Filters = dailyChecksFilters.defaults;

/** What the server is asked. */
export interface RunQuery {
  /** Without both: whenever the runs were. */
  from?: string;
  to?: string;
  filter: ReturnType<typeof dailyChecksFilters.query>;
}

/** The filters as a query at the moment `now`. */
export function runQueryOf(filters: Filters, now: Date): RunQuery {
  return { ...rangeOf(filters, now), filter: dailyChecksFilters.query(filters) };
}

function rangeOf({ date, day }: Filters, now: Date): Pick<RunQuery, 'from' | 'to'> {
  const days = fixedDays(day);
  if (days !== null) return wholeDays(...days);
  if (date === ANY_TIME) return {};
  const range = dateRangeOf(date, now) ?? dateRangeOf(DEFAULT_RANGE, now);
  return { from: (range?.from ?? now).toISOString(), to: (range?.to ?? now).toISOString() };
}

/** Whether all runs of the list are in one state. */
export function hasOneState({ state, ignored }: Filters): boolean {
  return state !== 'all' && (!ignored || state === 'ignored');
}

/** Whether a run in this state belongs into the list. */
export function belongs(state: State, { filter }: RunQuery): boolean {
  if (state === 'ignored') return filter.ignored || filter.state === 'ignored';
  return filter.state === 'all' || filter.state === state;
}

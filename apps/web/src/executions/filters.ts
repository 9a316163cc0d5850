import { type BackupClock, rangeOfDays } from '@keepwatch/contract/backup-days/backup-day';
import type { State } from '@keepwatch/contract/runs/values';
import { ANY_TIME, type DailyChecksFilters, dailyChecksFilters } from '../entities/daily-checks.ts';
import { fixedDays, knownRangeOf } from '../kit/date-range/date-range.ts';

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

/** The filters as a query at the moment `now`, with the days of a clock. */
export function runQueryOf(filters: Filters, now: Date, clock: BackupClock): RunQuery {
  return { ...rangeOf(filters, now, clock), filter: dailyChecksFilters.query(filters) };
}

function rangeOf({ date, day }: Filters, now: Date, clock: BackupClock): Pick<RunQuery, 'from' | 'to'> {
  const days = fixedDays(day);
  if (days !== null) return rangeOfDays(clock, ...days);
  if (date === ANY_TIME) return {};
  const { from, to } = knownRangeOf(date, now, clock);
  return { from, to };
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

import type { PersistedFilters } from '@keepwatch/contract/identity/sessions';
import type { ExecutionFilter } from '@keepwatch/contract/monitoring/filters';
import {
  DATA_SOURCE_GROUPS,
  type DataSourceGroup,
  RESULTS,
  type Result,
  STATES,
  type State,
} from '@keepwatch/contract/monitoring/values';
import { ANY_TIME } from '../kit/daily-checks-link.tsx';
import { DEFAULT_RANGE, dateRangeOf, fixedDays } from '../kit/date-range/date-range.ts';
import { wholeDays } from '../kit/utc-day.ts';

export const STATE_FILTERS = [...STATES, 'all'] as const;
export const MANAGED_FILTERS = ['any', 'yes', 'no'] as const;

/** What a person has narrowed the list to. */
export interface Filters {
  /** Text that names a date range; of the latest runs also `ANY_TIME`. */
  date: string;
  /** One UTC day or a range of them, as the reports count them; it goes before `date`. Empty: none. */
  day: string;
  company: readonly string[];
  source: readonly DataSourceGroup[];
  result: readonly Result[];
  state: State | 'all';
  ignored: boolean;
  anomaly: boolean;
  /** Only the run by which each job stands now. */
  latest: boolean;
  /** Only runs that may belong to several jobs of one name. */
  unassigned: boolean;
  managed: (typeof MANAGED_FILTERS)[number];
  search: string;
  /** `jobInstanceUid`s. */
  job: readonly string[];
}

/** What the server is asked. */
export interface Question {
  /** Without both: whenever the runs were. */
  from?: string;
  to?: string;
  filter: ExecutionFilter;
}

/** The specification's defaults (part 9). */
export const DEFAULT_FILTERS: Filters = {
  date: DEFAULT_RANGE,
  day: '',
  company: [],
  source: [],
  result: [],
  state: 'pending',
  ignored: false,
  anomaly: true,
  latest: false,
  unassigned: false,
  managed: 'any',
  search: '',
  job: [],
};

/** The filters as the user last left them; what an older version kept and nobody knows any more is at its default. */
export function filtersOfUser(kept: PersistedFilters | null): Filters {
  if (kept === null) return DEFAULT_FILTERS;
  const isRange = kept.dateFilter === ANY_TIME || dateRangeOf(kept.dateFilter, new Date(0)) !== null;
  return bounded({
    ...DEFAULT_FILTERS,
    date: isRange ? kept.dateFilter : DEFAULT_FILTERS.date,
    company: kept.companyIds,
    source: DATA_SOURCE_GROUPS.filter((group) => kept.sourceFilter.includes(group)),
    result: RESULTS.filter((result) => kept.filterType.includes(result)),
    state: STATE_FILTERS.find((state) => state === kept.stateFilter) ?? DEFAULT_FILTERS.state,
    ignored: kept.ignoredFilter,
    anomaly: kept.anomalyFilter,
    latest: kept.latestFilter ?? false,
    managed: kept.managedFilter === null ? 'any' : kept.managedFilter ? 'yes' : 'no',
  });
}

/** The filters with a range of days, unless they leave one run a job. */
export function bounded(filters: Filters): Filters {
  return filters.date === ANY_TIME && !filters.latest ? { ...filters, date: DEFAULT_FILTERS.date } : filters;
}

/** What is kept with the user: search, job and UTC days are of the moment and are not. */
export function keptOf(filters: Filters): PersistedFilters {
  return {
    companyIds: [...filters.company],
    sourceFilter: [...filters.source],
    filterType: [...filters.result],
    ignoredFilter: filters.ignored,
    anomalyFilter: filters.anomaly,
    latestFilter: filters.latest,
    dateFilter: filters.date,
    managedFilter: filters.managed === 'any' ? null : filters.managed === 'yes',
    stateFilter: filters.state,
  };
}

/** The filters as a question about the moment `now`. */
export function questionOf(filters: Filters, now: Date): Question {
  const { company, source, result, job, managed, state, ignored, anomaly, latest, unassigned } = filters;
  const search = filters.search.trim();
  return {
    ...rangeOf(filters, now),
    filter: {
      ...(company.length === 0 ? {} : { companyIds: [...company] }),
      ...(source.length === 0 ? {} : { source: [...source] }),
      ...(result.length === 0 ? {} : { type: [...result] }),
      ...(job.length === 0 ? {} : { jobInstanceUids: [...job] }),
      ...(managed === 'any' ? {} : { managed: managed === 'yes' }),
      ...(search === '' ? {} : { search }),
      ...(unassigned ? { unassigned } : {}),
      state,
      ignored,
      anomaly,
      latest,
    },
  };
}

function rangeOf({ date, day }: Filters, now: Date): Pick<Question, 'from' | 'to'> {
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
export function belongs(state: State, { filter }: Question): boolean {
  if (state === 'ignored') return filter.ignored || filter.state === 'ignored';
  return filter.state === 'all' || filter.state === undefined || filter.state === state;
}

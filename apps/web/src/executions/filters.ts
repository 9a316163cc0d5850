import type { ExecutionFilter } from '@keepwatch/contract/executions/filters';
import type { PersistedFilters } from '@keepwatch/contract/identity/sessions';
import {
  DATA_SOURCE_GROUPS,
  type DataSourceGroup,
  RESULTS,
  type Result,
  STATES,
  type State,
} from '@keepwatch/contract/runs/values';
import { ANY_TIME } from '../entities/daily-checks-link.tsx';
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
  /** Only the run that gives each job its current status. */
  latest: boolean;
  /** Only runs that may belong to several jobs of one name. */
  unassigned: boolean;
  managed: (typeof MANAGED_FILTERS)[number];
  search: string;
  /** `jobInstanceUid`s. */
  job: readonly string[];
}

/** What the server is asked. */
export interface RunQuery {
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

/** Returns the filters that the user last used. Unknown values that an older version stored get their default. */
export function filtersOfUser(stored: PersistedFilters | null): Filters {
  if (stored === null) return DEFAULT_FILTERS;
  const isRange = stored.dateFilter === ANY_TIME || dateRangeOf(stored.dateFilter, new Date(0)) !== null;
  return bounded({
    ...DEFAULT_FILTERS,
    date: isRange ? stored.dateFilter : DEFAULT_FILTERS.date,
    company: stored.companyIds,
    source: DATA_SOURCE_GROUPS.filter((group) => stored.sourceFilter.includes(group)),
    result: RESULTS.filter((result) => stored.filterType.includes(result)),
    state: STATE_FILTERS.find((state) => state === stored.stateFilter) ?? DEFAULT_FILTERS.state,
    ignored: stored.ignoredFilter,
    anomaly: stored.anomalyFilter,
    latest: stored.latestFilter ?? false,
    managed: stored.managedFilter === null ? 'any' : stored.managedFilter ? 'yes' : 'no',
  });
}

/** The filters with a range of days, unless they leave one run a job. */
export function bounded(filters: Filters): Filters {
  return filters.date === ANY_TIME && !filters.latest ? { ...filters, date: DEFAULT_FILTERS.date } : filters;
}

/** Returns what is stored with the user. Search, job and UTC days are temporary and are not stored. */
export function storedOf(filters: Filters): PersistedFilters {
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
export function runQueryOf(filters: Filters, now: Date): RunQuery {
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
  return filter.state === 'all' || filter.state === undefined || filter.state === state;
}

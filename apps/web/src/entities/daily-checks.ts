import { DATA_SOURCE_GROUPS, RESULTS, STATES } from '@keepwatch/contract/runs/values';
import { choiceField, flagField, idListField, listField, textField, type UrlField } from '../kit/address/url-state.ts';
import { fixedDays } from '../kit/date-range/date-range.ts';
import { dateRangeField } from '../kit/date-range/date-range-field.ts';
import { declareFilters, filter, type ValuesOfFilters } from '../kit/declare-filters.ts';

export const STATE_FILTERS = [...STATES, 'all'] as const;
export const MANAGED_FILTERS = ['any', 'yes', 'no'] as const;

/** Whenever runs were: of each job there is one latest run, so that no range has to bound them. */
export const ANY_TIME = 'Any Time';

/** The run that gives each job its current status, as reports count jobs by last result. It may be older than any range. */
export const STATUS = {
  state: 'all',
  ignored: true,
  latest: true,
  date: ANY_TIME,
} satisfies Partial<DailyChecksFilters>;

/** Runs and faults of companies that are managed, or of those that are not. */
export const managedFilter = filter(choiceField(MANAGED_FILTERS, 'any'), {
  isSaved: true,
  asks: 'managed',
  as: (value: (typeof MANAGED_FILTERS)[number]) => (value === 'any' ? undefined : value === 'yes'),
});

/** What narrows the daily checks, with the specification's defaults (part 9); what is saved is named in its part 3. */
export const dailyChecksFilters = declareFilters(
  {
    /** Text that names a date range, or `ANY_TIME` of the latest runs. */
    date: filter(dateField(), { isSaved: true }),
    /** One backup day (`2026-01-31`) or a range of them (`2026-01-25..2026-01-31`), as the reports count them; goes before `date`. */
    day: filter(dayField()),
    company: filter(idListField(), { asks: 'companyIds' }),
    source: filter(listField(DATA_SOURCE_GROUPS), { isSaved: true, asks: 'source' }),
    result: filter(listField(RESULTS), { isSaved: true, asks: 'type' }),
    /** Runs with an anomaly; with results these besides. */
    doubtful: filter(flagField(), { isSaved: true, asks: 'doubtful', as: (isOn: boolean) => isOn || undefined }),
    state: filter(alwaysWritten(choiceField(STATE_FILTERS, 'pending')), { isSaved: true, asks: 'state' }),
    /** Also runs that were ignored. */
    ignored: filter(flagField(), { isSaved: true, asks: 'ignored' }),
    /** Also successes with an anomaly. */
    anomaly: filter(flagField(true), { isSaved: true, asks: 'anomaly' }),
    /** Only the run that gives each job its current status. */
    latest: filter(flagField(), { isSaved: true, asks: 'latest' }),
    /** Only runs that may belong to several jobs of one name. */
    unassigned: filter(flagField(), { asks: 'unassigned', as: (isOn: boolean) => isOn || undefined }),
    managed: managedFilter,
    search: filter(textField(), { asks: 'search' }),
    /** `jobInstanceUid`s. */
    job: filter(idListField(), { asks: 'jobInstanceUids' }),
  },
  // A range of days, unless they leave one run a job.
  (filters) => (filters.date === ANY_TIME && !filters.latest ? { ...filters, date: dateField().read([]) } : filters),
);

export type DailyChecksFilters = ValuesOfFilters<typeof dailyChecksFilters>;

function dateField(): UrlField<string> {
  const range = dateRangeField();
  return { read: (texts) => (texts[0] === ANY_TIME ? ANY_TIME : range.read(texts)), write: range.write };
}

function dayField(): UrlField<string> {
  return {
    read: ([text = '']) => (fixedDays(text) === null ? '' : text),
    write: (value) => (value === '' ? [] : [value]),
  };
}

/** The same field, also written where it has its default: so it marks an address with filters, as opposed to one that asks for the stored ones. */
export function alwaysWritten<T extends string>({ read }: UrlField<T>): UrlField<T> {
  return { read, write: (value) => [value] };
}

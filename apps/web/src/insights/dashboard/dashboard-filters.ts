import { DATA_SOURCE_GROUPS, type DataSourceGroup } from '@keepwatch/contract/runs/values';
import { useMemo } from 'react';
import { useIsCompanyMissing } from '../../entities/company-filter.data.ts';
import { useSharedCompany } from '../../entities/company-scope.ts';
import type { SearchTexts } from '../../kit/address/search-text.ts';
import {
  flagField,
  idListField,
  listField,
  readUrlState,
  useHasUnknown,
  useUrlState,
} from '../../kit/address/url-state.ts';
import { fixedRange } from '../../kit/date-range/date-range.ts';
import { dateRangeField } from '../../kit/date-range/date-range-field.ts';
import { utcDaysOf } from '../../kit/date-range/utc-days.ts';
import { declareFilters, filter } from '../../kit/declare-filters.ts';
import { useNow } from '../../kit/use-now.ts';
import { type UtcDays, utcDayOf } from '../../kit/utc-day.ts';

const dashboardFilters = declareFilters({
  date: filter(dateRangeField('Last 7 Days')),
  company: filter(idListField(), { asks: 'companyIds' }),
  source: filter(listField(DATA_SOURCE_GROUPS), { asks: 'source' }),
  /** The history without its successes. */
  trouble: filter(flagField()),
});
const { fields: FIELDS, defaults } = dashboardFilters;

/** What the dashboard is about: which days, which jobs. */
export interface Subject {
  days: UtcDays;
  /** The same days in the form of the daily checks (`2026-01-25..2026-01-31`), so that a figure links to the runs it counts. */
  day: string;
  jobs: { companyIds?: string[]; source?: DataSourceGroup[] };
}

/** The dashboard's filters, which are in its address. */
export function useDashboardFilters() {
  const [filters, change] = useUrlState(FIELDS);
  const setFilters = useSharedCompany(change);
  const { company } = filters;
  const today = useNow(utcDayOf);
  const { from, to } = utcDaysOf(filters.date, new Date(today));
  const subject = useMemo(() => subjectOf(filters, { from, to }), [from, to, filters]);
  const hasUnknown = useHasUnknown(FIELDS);
  const isCompanyMissing = useIsCompanyMissing(company);
  const reset = () => setFilters(defaults);
  return { filters, setFilters, subject, reset, isBroken: hasUnknown || isCompanyMissing };
}

/** What the dashboard at an address is about. */
export function subjectAt(search: SearchTexts, now: Date): Subject {
  const filters = readUrlState(FIELDS, search);
  return subjectOf(filters, utcDaysOf(filters.date, now));
}

function subjectOf(filters: typeof defaults, days: UtcDays): Subject {
  const day = fixedRange(days.from.slice(0, 10), days.to.slice(0, 10));
  return { days, day, jobs: dashboardFilters.query(filters) };
}

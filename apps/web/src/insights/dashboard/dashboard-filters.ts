import { DATA_SOURCE_GROUPS, type DataSourceGroup } from '@keepwatch/contract/runs/values';
import { useMemo } from 'react';
import { useIsCompanyMissing } from '../../entities/company-filter.data.ts';
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
import { useNow } from '../../kit/use-now.ts';
import { type UtcDays, utcDayOf } from '../../kit/utc-day.ts';
import { utcDaysOf } from '../history/utc-days.ts';

const DEFAULT_DATE = 'Last 7 Days';

const FIELDS = {
  date: dateRangeField(DEFAULT_DATE),
  company: idListField(),
  source: listField(DATA_SOURCE_GROUPS),
  /** The history without its successes. */
  trouble: flagField(),
};

/** What the dashboard is about: which days, which jobs. */
export interface Subject {
  days: UtcDays;
  /** The same days in the form of the daily checks (`2026-01-25..2026-01-31`), so that a figure links to the runs it counts. */
  day: string;
  jobs: { companyIds?: string[]; source?: DataSourceGroup[] };
}

/** The dashboard's filters, which are in its address. */
export function useDashboardFilters() {
  const [filters, setFilters] = useUrlState(FIELDS);
  const { date, company, source } = filters;
  const today = useNow(utcDayOf);
  const { from, to } = utcDaysOf(date, new Date(today));
  const subject = useMemo(() => subjectOf({ company, source }, { from, to }), [from, to, company, source]);
  const hasUnknown = useHasUnknown(FIELDS);
  const isCompanyMissing = useIsCompanyMissing(company);
  const reset = () => setFilters({ date: DEFAULT_DATE, company: [], source: [], trouble: false });
  return { filters, setFilters, subject, reset, isBroken: hasUnknown || isCompanyMissing };
}

/** What the dashboard at an address is about. */
export function subjectAt(search: SearchTexts, now: Date): Subject {
  const filters = readUrlState(FIELDS, search);
  return subjectOf(filters, utcDaysOf(filters.date, now));
}

interface Narrowing {
  company: readonly string[];
  source: readonly DataSourceGroup[];
}

function subjectOf({ company, source }: Narrowing, days: UtcDays): Subject {
  const jobs = {
    ...(company.length === 0 ? {} : { companyIds: [...company] }),
    ...(source.length === 0 ? {} : { source: [...source] }),
  };
  return { days, day: fixedRange(days.from.slice(0, 10), days.to.slice(0, 10)), jobs };
}

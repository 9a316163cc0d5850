import { startOfDay } from '@keepwatch/contract/backup-days/backup-day';
import type { User } from '@keepwatch/contract/identity/sessions';
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
import { backupClockOf, useBackupClock, useToday } from '../../kit/backup-clock.ts';
import { type DateRange, type DayRange, fixedRange, knownRangeOf } from '../../kit/date-range/date-range.ts';
import { dateRangeField } from '../../kit/date-range/date-range-field.ts';
import { declareFilters, filter } from '../../kit/declare-filters.ts';

const dashboardFilters = declareFilters({
  date: filter(dateRangeField('Last 7 Days')),
  company: filter(idListField(), { asks: 'companyIds' }),
  source: filter(listField(DATA_SOURCE_GROUPS), { asks: 'source' }),
  /** The history of all results, instead of the problems alone. */
  all: filter(flagField()),
});
const { fields: FIELDS, defaults } = dashboardFilters;

/** What the dashboard is about: which days, which jobs. */
export interface Subject {
  days: DayRange;
  /** The same days in the form of the daily checks (`2026-01-25..2026-01-31`), so that a figure links to the runs it counts. */
  day: string;
  jobs: { companyIds?: string[]; source?: DataSourceGroup[] };
}

/** The dashboard's filters, which are in its address. */
export function useDashboardFilters() {
  const [filters, change] = useUrlState(FIELDS);
  const setFilters = useSharedCompany(change);
  const { company } = filters;
  const { timeZone, beginHour } = useBackupClock();
  const today = useToday({ timeZone, beginHour });
  const subject = useMemo(() => {
    const clock = { timeZone, beginHour };
    return subjectOf(filters, knownRangeOf(filters.date, new Date(startOfDay(clock, today)), clock));
  }, [timeZone, beginHour, today, filters]);
  const hasUnknown = useHasUnknown(FIELDS);
  const isCompanyMissing = useIsCompanyMissing(company);
  const reset = () => setFilters(defaults);
  return { filters, setFilters, subject, reset, isBroken: hasUnknown || isCompanyMissing };
}

/** What the dashboard at an address is about. */
export function subjectAt(search: SearchTexts, now: Date, user: User): Subject {
  const filters = readUrlState(FIELDS, search);
  return subjectOf(filters, knownRangeOf(filters.date, now, backupClockOf(user)));
}

function subjectOf(filters: typeof defaults, { from, to, firstDay, lastDay }: DateRange): Subject {
  const day = fixedRange(firstDay, lastDay);
  return { days: { from, to }, day, jobs: dashboardFilters.query(filters) };
}

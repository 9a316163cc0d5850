import { DATA_SOURCE_GROUPS } from '@keepwatch/contract/monitoring/values';
import { useMemo } from 'react';
import { choiceField, flagField, listField, textField, useUrlState } from '../kit/url-state.ts';
import { useNow } from '../kit/use-now.ts';
import type { CalendarQuestion } from './calendar.data.ts';
import { monthOf, readMonth } from './month.ts';

const FIELDS = {
  /** Empty for the month of today. */
  month: textField(),
  company: listField('any'),
  source: listField(DATA_SOURCE_GROUPS),
  search: textField(),
  trouble: flagField(),
  sort: choiceField(['companyName', 'jobName'], 'companyName'),
};

/** What the calendar shows, as it stands in its address. */
export function useCalendarFilters() {
  const [filters, setFilters] = useUrlState(FIELDS);
  const current = useNow(monthOf);
  const asked = readMonth(filters.month);
  const month = asked === null || asked > current ? current : asked;
  const question = useMemo<CalendarQuestion>(() => {
    const { company, source, search, trouble, sort } = filters;
    return {
      month,
      filter: {
        ...(company.length === 0 ? {} : { companyIds: [...company] }),
        ...(source.length === 0 ? {} : { source: [...source] }),
        ...(search.trim() === '' ? {} : { search: search.trim() }),
        withTrouble: trouble,
      },
      sort,
    };
  }, [filters, month]);
  return { filters, setFilters, question, current };
}

/** Whether anything but the month narrows the calendar. */
export function isFiltered({ filter: { withTrouble, ...jobs } }: CalendarQuestion): boolean {
  return withTrouble || Object.keys(jobs).length > 0;
}

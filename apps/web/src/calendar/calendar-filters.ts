import { DATA_SOURCE_GROUPS } from '@keepwatch/contract/monitoring/values';
import { useMemo } from 'react';
import { useIsCompanyMissing } from '../kit/filters/company-filter.data.ts';
import {
  choiceField,
  flagField,
  idListField,
  listField,
  textField,
  useHasUnknown,
  useUrlState,
} from '../kit/url-state.ts';
import { useNow } from '../kit/use-now.ts';
import type { CalendarQuestion } from './calendar.data.ts';
import { monthOf, readMonth } from './month.ts';

const FIELDS = {
  /** Empty for the month of today. */
  month: textField(),
  company: idListField(),
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
  const hasUnknown = useHasUnknown(FIELDS);
  const isCompanyMissing = useIsCompanyMissing(filters.company);
  return { filters, setFilters, question, current, isBroken: hasUnknown || isCompanyMissing };
}

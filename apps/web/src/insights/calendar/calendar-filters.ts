import { DATA_SOURCE_GROUPS } from '@keepwatch/contract/runs/values';
import { useMemo } from 'react';
import { useIsCompanyMissing } from '../../entities/company-filter.data.ts';
import type { calendar } from '../../entities/places.ts';
import {
  choiceField,
  flagField,
  idListField,
  listField,
  textField,
  useHasUnknown,
  useUrlState,
} from '../../kit/address/url-state.ts';
import type { FieldsOf } from '../../kit/place.ts';
import { useNow } from '../../kit/use-now.ts';
import type { CalendarQuery } from './calendar.data.ts';
import { monthOf, readMonth } from './month.ts';

const FIELDS = {
  /** Empty for the month of today. */
  month: textField(),
  company: idListField(),
  source: listField(DATA_SOURCE_GROUPS),
  search: textField(),
  trouble: flagField(),
  sort: choiceField(['companyName', 'jobName'], 'companyName'),
} satisfies FieldsOf<typeof calendar>;

/** What the calendar shows, as its address has it. */
export function useCalendarFilters() {
  const [filters, setFilters] = useUrlState(FIELDS);
  const current = useNow(monthOf);
  const asked = readMonth(filters.month);
  const month = asked === null || asked > current ? current : asked;
  const query = useMemo<CalendarQuery>(() => {
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
  return { filters, setFilters, query, current, isBroken: hasUnknown || isCompanyMissing };
}

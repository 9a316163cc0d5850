import { DATA_SOURCE_GROUPS } from '@keepwatch/contract/runs/values';
import { useMemo } from 'react';
import { monthOf, readMonth } from '../../entities/calendar/month.ts';
import { useIsCompanyMissing } from '../../entities/company-filter.data.ts';
import { useSharedCompany } from '../../entities/company-scope.ts';
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
import { useBackupClock, useToday } from '../../kit/backup-clock.ts';
import { declareFilters, filter } from '../../kit/declare-filters.ts';
import type { FieldsOf } from '../../kit/place.ts';
import type { CalendarQuery } from './calendar.data.ts';

const calendarFilters = declareFilters({
  company: filter(idListField(), { asks: 'companyIds' }),
  source: filter(listField(DATA_SOURCE_GROUPS), { asks: 'source' }),
  search: filter(textField(), { asks: 'search' }),
  trouble: filter(flagField(), { asks: 'withTrouble' }),
});

const FIELDS = {
  ...calendarFilters.fields,
  /** Empty for the month of today. */
  month: textField(),
  sort: choiceField(['companyName', 'jobName'], 'companyName'),
} satisfies FieldsOf<typeof calendar>;

/** What the calendar shows, as its address has it. */
export function useCalendarFilters() {
  const [filters, change] = useUrlState(FIELDS);
  const setFilters = useSharedCompany(change);
  const current = monthOf(useToday(useBackupClock()));
  const asked = readMonth(filters.month);
  const month = asked === null || asked > current ? current : asked;
  const query = useMemo<CalendarQuery>(
    () => ({ month, filter: calendarFilters.query(filters), sort: filters.sort }),
    [filters, month],
  );
  const hasUnknown = useHasUnknown(FIELDS);
  const isCompanyMissing = useIsCompanyMissing(filters.company);
  return { filters, setFilters, query, current, isBroken: hasUnknown || isCompanyMissing };
}

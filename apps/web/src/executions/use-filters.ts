import { editProfile } from '@keepwatch/contract/identity/sessions';
import { DATA_SOURCE_GROUPS, RESULTS } from '@keepwatch/contract/runs/values';
import { useDebouncedCallback } from '@mantine/hooks';
import { useRouterState, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { useIsCompanyMissing } from '../entities/company-filter.data.ts';
import { ANY_TIME, DAILY_CHECKS_PATH } from '../entities/daily-checks-link.tsx';
import { fixedDays } from '../kit/date-range/date-range.ts';
import { dateRangeField } from '../kit/date-range/date-range-field.ts';
import { usePortal, useUser } from '../kit/portal.tsx';
import {
  choiceField,
  flagField,
  idListField,
  listField,
  textField,
  type UrlField,
  useHasUnknown,
  useUrlState,
} from '../kit/url-state.ts';
import {
  bounded,
  DEFAULT_FILTERS,
  type Filters,
  filtersOfUser,
  MANAGED_FILTERS,
  STATE_FILTERS,
  storedOf,
} from './filters.ts';
import { useJobNames } from './job-filter.data.ts';

const stateField = choiceField(STATE_FILTERS, DEFAULT_FILTERS.state);

const FIELDS = {
  date: dateField(),
  day: dayField(),
  company: idListField(),
  source: listField(DATA_SOURCE_GROUPS),
  result: listField(RESULTS),
  // Always written: it marks an address with filters, as opposed to one that asks for the stored ones.
  state: { read: stateField.read, write: (value) => [value] } satisfies typeof stateField,
  ignored: flagField(DEFAULT_FILTERS.ignored),
  anomaly: flagField(DEFAULT_FILTERS.anomaly),
  latest: flagField(DEFAULT_FILTERS.latest),
  unassigned: flagField(DEFAULT_FILTERS.unassigned),
  managed: choiceField(MANAGED_FILTERS, DEFAULT_FILTERS.managed),
  search: textField(),
  job: idListField(),
} satisfies { [K in keyof Filters]: UrlField<Filters[K]> };

const SAVE_PAUSE_MS = 1_000;

/**
 * The filters of the list. An address with any filter has all of them, so that a link shows every user the same. An
 * address without one gets the filters last used (specification "portal", part 3, persisted filters). They are written
 * into it at once, so that a copied address shows a colleague the same rows.
 */
export function useFilters() {
  const [inAddress, setAddress] = useUrlState(FIELDS);
  const search: Record<string, unknown> = useSearch({ strict: false });
  const { filters: stored } = useUser();
  const hasAny = Object.keys(FIELDS).some((name) => search[name] !== undefined);
  const filters = useMemo<Filters>(
    () => (hasAny ? bounded(inAddress) : filtersOfUser(stored)),
    [hasAny, inAddress, stored],
  );
  // While the user goes to another screen, the address is already that screen's.
  const isHere = useRouterState({ select: (state) => state.location.pathname === DAILY_CHECKS_PATH });
  useEffect(() => {
    if (isHere && !hasAny) setAddress(filters);
  }, [isHere, hasAny, filters, setAddress]);
  const keep = useStoredFilters();
  const setFilters = (patch: Partial<Filters>) => {
    setAddress(bounded({ ...filters, ...patch }));
    keep(patch);
  };
  const isBroken = useIsBroken(filters);
  return { filters, setFilters, reset: () => setFilters(DEFAULT_FILTERS), isBroken };
}

/** Whether a filter names something that is not there. */
function useIsBroken({ company, job }: Filters): boolean {
  const hasUnknown = useHasUnknown(FIELDS);
  const isCompanyMissing = useIsCompanyMissing(company);
  const { isMissing } = useJobNames(job);
  return hasUnknown || isCompanyMissing || isMissing;
}

/**
 * Stores what the user changed, but not what a link has set besides. A failed save is not reported, as with the looks
 * (specification "portal", part 4): the choice still applies in this browser.
 */
function useStoredFilters(): (patch: Partial<Filters>) => void {
  const { api, session } = usePortal();
  const user = useUser();
  const save = useDebouncedCallback(
    () => {
      const { id, filters } = session.get()?.user ?? user;
      if (filters === null || session.get() === null) return;
      api.request(editProfile, { params: { id }, body: { filters } }).catch(() => undefined);
    },
    { delay: SAVE_PAUSE_MS, flushOnUnmount: true },
  );
  return (patch) => {
    const current = session.get()?.user ?? user;
    const filters = storedOf({ ...filtersOfUser(current.filters), ...patch });
    if (JSON.stringify(filters) === JSON.stringify(storedOf(filtersOfUser(current.filters)))) return;
    session.updateUser({ ...current, filters });
    save();
  };
}

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

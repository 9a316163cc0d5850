import type { FiltersKey } from '@keepwatch/contract/identity/preferences';
import { useRouterState, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo } from 'react';
import { useHasUnknown, useUrlState } from './address/url-state.ts';
import type { Declarations, Filters, FilterValues, SavedFilters } from './declare-filters.ts';
import type { Place } from './place.ts';
import { useUser } from './portal.tsx';
import { useSavePreference } from './preferences.ts';

const NONE = [] as const;

/**
 * The filters of a screen. An address with any filter has all of them, so that a link shows every user the same. An address
 * without one gets the filters last used (specification "portal", part 3, persisted filters). They are written into it at once,
 * so that a copied address shows a colleague the same rows. Filters that are `beside` those (the companies that all screens share) may be
 * in the address alone.
 */
export function useFilters<D extends Declarations>(
  declared: Filters<D>,
  place: Place,
  key: FiltersKey,
  beside: readonly (keyof FilterValues<D> & string)[] = NONE,
) {
  const [inAddress, setAddress] = useUrlState(declared.fields);
  const search: Record<string, unknown> = useSearch({ strict: false });
  const saved = useUser().preferences[key];
  const hasAny = Object.keys(declared.fields).some((name) => search[name] !== undefined && !beside.includes(name));
  const filters = useMemo<FilterValues<D>>(
    () =>
      hasAny
        ? declared.settle(inAddress)
        : { ...declared.restored(saved), ...pick<FilterValues<D>>(inAddress, beside) },
    [declared, hasAny, inAddress, saved, beside],
  );
  // While the user goes to another screen, the address is already that screen's.
  const isHere = useRouterState({ select: (state) => state.location.pathname === place.path });
  useEffect(() => {
    if (isHere && !hasAny) setAddress(filters);
  }, [isHere, hasAny, filters, setAddress]);
  const save = useSavePreference(key);
  const setFilters = (patch: Partial<FilterValues<D>>) => {
    setAddress(declared.settle({ ...filters, ...patch }));
    save((before) => savedAfter(declared, declared.restored(before), patch));
  };
  const hasUnknown = useHasUnknown(declared.fields);
  return { filters, setFilters, reset: () => setFilters(declared.defaults), hasUnknown };
}

/**
 * What the user changed, but not what a link has set besides; `undefined` where the same filters are saved as before. They are
 * compared as they are read: without any, or with texts that are not known any more, the defaults are saved already.
 */
function savedAfter<D extends Declarations>(
  { saved }: Filters<D>,
  before: FilterValues<D>,
  patch: Partial<FilterValues<D>>,
): SavedFilters | undefined {
  const after = saved({ ...before, ...patch });
  return JSON.stringify(after) === JSON.stringify(saved(before)) ? undefined : after;
}

function pick<T extends object>(values: T, names: readonly (keyof T & string)[]): Partial<T> {
  const picked: Partial<T> = {};
  for (const name of names) picked[name] = values[name];
  return picked;
}

import type { User } from '@keepwatch/contract/identity/sessions';
import { useRouterState } from '@tanstack/react-router';
import type { SearchTexts } from '../kit/address/search-text.ts';
import { useChangeAddress } from '../kit/address/url-state.ts';
import { type Place, type Target, targetOf } from '../kit/place.ts';
import { useAllows, useUser } from '../kit/portal.tsx';
import { useSavePreference } from '../kit/preferences.ts';

/**
 * The company scope: the companies that a user works on. Every screen with a company filter begins with it, in each application, until
 * it is cleared (specification "portal", part 3, `appFilters.companyIds`). It is stored with the user, and written into the address of each
 * screen, so that a copied address shows a colleague the same rows.
 */
export function useCompanyScope(): readonly string[] {
  return scopeOf(useUser());
}

function scopeOf({ preferences }: User): readonly string[] {
  return preferences['companies.scope'] ?? [];
}

/** Whether the user has companies to choose from. Who is limited to one needs no choice. */
export function useMayScope(): boolean {
  const { companyIds } = useUser();
  const mayFilter = useAllows(['monitoring.companies-filter', 'common.companies']);
  return mayFilter && companyIds?.length !== 1;
}

/** Narrows this screen and all others to these companies; none: to no company any more. */
export function useSetCompanyScope(): (companyIds: readonly string[]) => void {
  const save = useSaveScope();
  const changeAddress = useChangeAddress();
  const isNarrowed = useRouterState({ select: (state) => state.matches.at(-1)?.staticData.hasCompanyFilter === true });
  return (companyIds) => {
    save(companyIds);
    if (isNarrowed) changeAddress({ company: companyIds.length === 0 ? undefined : [...companyIds] });
  };
}

/** The company filter that is changed on one screen is that of all: gives the change that stores it, too. */
export function useSharedCompany<P extends { company?: readonly string[] | undefined }, R extends unknown[]>(
  change: (patch: P, ...options: R) => void,
): (patch: P, ...options: R) => void {
  const save = useSaveScope();
  return (patch, ...options) => {
    if (patch.company !== undefined) save(patch.company);
    change(patch, ...options);
  };
}

function useSaveScope(): (companyIds: readonly string[]) => void {
  const save = useSavePreference('companies.scope');
  return (companyIds) => save((before = []) => (before.join() === companyIds.join() ? undefined : [...companyIds]));
}

/** Links to a place as the scope narrows it. */
export function useScopedTarget(): (place: Place) => Target {
  const user = useUser();
  return (place) => ({ ...targetOf(place), search: scopedSearch(place, {}, user) ?? {} });
}

/** What the address of a place says once the scope narrows it; `null` where it says all that already. */
export function scopedSearch(place: Place, search: SearchTexts, user: User | null): SearchTexts | null {
  const scope = user === null ? [] : scopeOf(user);
  if (place.hasCompanyFilter !== true || scope.length === 0 || search['company'] !== undefined) return null;
  return { ...search, company: [...scope] };
}

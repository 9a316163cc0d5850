import { useRouterState } from '@tanstack/react-router';
import { useChangeAddress } from '../kit/address/url-state.ts';
import { useUser } from '../kit/portal.tsx';
import { useSavePreference } from '../kit/preferences.ts';
import { scopeOf } from './scoped-search.ts';

/**
 * The company scope: the companies that a user works on. Every screen with a company filter begins with it, in each application, until
 * it is cleared (specification "portal", part 3, `appFilters.companyIds`). It is stored with the user, and written into the address of each
 * screen, so that a copied address shows a colleague the same rows.
 */
export function useCompanyScope(): readonly string[] {
  return scopeOf(useUser());
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

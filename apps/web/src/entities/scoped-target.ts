import { type Place, type Target, targetOf } from '../kit/place.ts';
import { useAllows, useUser } from '../kit/portal.tsx';
import { scopedSearch } from './scoped-search.ts';

/** Whether the user has companies to choose from. Who is limited to one needs no choice. */
export function useMayScope(): boolean {
  const { companyIds } = useUser();
  const mayFilter = useAllows(['monitoring.companies-filter', 'common.companies']);
  return mayFilter && companyIds?.length !== 1;
}

/** Links to a place as the company scope narrows it. */
export function useScopedTarget(): (place: Place) => Target {
  const user = useUser();
  return (place) => ({ ...targetOf(place), search: scopedSearch(place, {}, user) ?? {} });
}

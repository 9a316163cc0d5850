import type { User } from '@keepwatch/contract/identity/sessions';
import type { SearchTexts } from '../kit/address/search-text.ts';
import type { Place } from '../kit/place.ts';

/** The companies that a user works on; none: all. Apart from its hooks: the router needs no more. */
export function scopeOf({ preferences }: User): readonly string[] {
  return preferences['companies.scope'] ?? [];
}

/** What the address of a place says once the scope narrows it; `null` where it says all that already. */
export function scopedSearch(place: Place, search: SearchTexts, user: User | null): SearchTexts | null {
  const scope = user === null ? [] : scopeOf(user);
  if (place.hasCompanyFilter !== true || scope.length === 0 || search['company'] !== undefined) return null;
  return { ...search, company: [...scope] };
}

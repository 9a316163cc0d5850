import { type Branding, getBranding } from '@keepwatch/contract/branding/branding';
import { notFound } from '../foundation/errors.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { findBrand, presentBrand } from './brands.ts';

/** `demonstration`: the accounts that the sign-in page lists; `null` on a real installation. */
export function brandingCalls(demonstration: Branding['demonstration']): Route[] {
  return [
    answer(getBranding, async ({ database, host }, { query }) => {
      const brand = await findBrand(database, query.domain ?? host);
      if (brand === null) throw notFound('brand');
      return { data: presentBrand(brand, demonstration) };
    }),
  ];
}

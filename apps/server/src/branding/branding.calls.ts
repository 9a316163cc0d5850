import { type Branding, getBranding } from '@keepwatch/contract/branding/branding';
import type { Connection } from '../foundation/database.ts';
import { notFound } from '../foundation/errors.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { findBrand, presentBrand, type SignInWays } from './brands.ts';

interface BrandingServices {
  /** The accounts that the sign-in page lists; `null` on a real installation. */
  demonstration: Branding['demonstration'];
  /** How the users of a provider sign in, beside the demonstration. */
  signInWaysOf(connection: Connection, providerId: number): Promise<Omit<SignInWays, 'demonstration'>>;
}

export function brandingCalls({ demonstration, signInWaysOf }: BrandingServices): Route[] {
  return [
    answer(getBranding, async ({ database, host }, { query }) => {
      const brand = await findBrand(database, query.domain ?? host);
      if (brand === null) throw notFound('brand');
      return { data: presentBrand(brand, { demonstration, ...(await signInWaysOf(database, brand.id)) }) };
    }),
  ];
}

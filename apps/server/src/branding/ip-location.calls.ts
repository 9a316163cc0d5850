import { getIpLocation } from '@keepwatch/contract/branding/ip-location';
import type { CountryHeader } from '@keepwatch/contract/wire/country-headers';
import { answer, type Route } from '../foundation/http/routes.ts';

/**
 * The call for the country of a request. Without a trusted proxy a header is what any caller may write, so it says nothing.
 * @param countryHeader `''`: the proxy says none
 */
export function ipLocationCalls(countryHeader: CountryHeader | '', trustedProxies: number): Route[] {
  return [
    answer(getIpLocation, async (_context, { headers }) => {
      if (countryHeader === '' || trustedProxies === 0) return { country: null };
      return { country: countryOf(headers[countryHeader] ?? '') };
    }),
  ];
}

/** `XX` and `T1` are what proxies say of addresses without a country. */
function countryOf(said: string): string | null {
  const country = said.trim().toUpperCase();
  return /^[A-Z]{2}$/.test(country) && country !== 'XX' ? country : null;
}

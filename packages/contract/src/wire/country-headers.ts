/** Headers in which reverse proxies say from which country a request comes. The installation says which of them it trusts, if any. */
export const COUNTRY_HEADERS = [
  'cf-ipcountry',
  'cloudfront-viewer-country',
  'x-vercel-ip-country',
  'x-country-code',
] as const;
export type CountryHeader = (typeof COUNTRY_HEADERS)[number];

import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { COUNTRY_HEADERS } from '../wire/country-headers.ts';

export const getIpLocation = declareCall({
  method: 'GET',
  path: '/app/get_ip_location',
  access: 'public',
  headers: COUNTRY_HEADERS,
  reply: z.object({
    success: z.literal(true),
    /** Two letters of ISO 3166; `null` where no trusted proxy says so. */
    country: z.nullable(z.string()),
  }),
  failure: 'The country could not be determined, try again later.',
  summary: 'From which country the request comes, as far as a trusted reverse proxy says it. No other system is asked.',
});

import { getIpLocation } from '@keepwatch/contract/branding/ip-location';
import type { CountryHeader } from '@keepwatch/contract/wire/country-headers';
import { afterEach, describe, expect, it } from 'vitest';
import { startTestPortal, type TestPortal } from '../testing/test-portal.ts';

let portal: TestPortal;
afterEach(() => portal.stop());

type Options = { trustedProxies: number; countryHeader: CountryHeader | '' };
const TRUSTED: Options = { trustedProxies: 1, countryHeader: 'cf-ipcountry' };

const answered = async (headers: Record<string, string>): Promise<unknown> =>
  (await portal.anonymous.raw('GET', `/api${getIpLocation.path}`, { headers })).json();

describe('GET app/get_ip_location', () => {
  it('200: answers what the trusted proxy says, and nothing else', async () => {
    portal = await startTestPortal(undefined, TRUSTED);
    expect(await answered({ 'cf-ipcountry': 'NL' })).toEqual({ success: true, country: 'NL' });
    const others: Record<string, string>[] = [
      { 'cf-ipcountry': 'XX' },
      { 'cf-ipcountry': 'the moon' },
      { 'x-country-code': 'NL' },
      {},
    ];
    for (const headers of others) expect(await answered(headers)).toEqual({ success: true, country: null });
  });

  it.each([
    ['header', { ...TRUSTED, countryHeader: '' }],
    ['proxy', { ...TRUSTED, trustedProxies: 0 }],
  ] satisfies [string, Options][])('200: answers nothing without a trusted %s', async (_, options) => {
    portal = await startTestPortal(undefined, options);
    expect(await answered({ 'cf-ipcountry': 'NL' })).toEqual({ success: true, country: null });
  });
});

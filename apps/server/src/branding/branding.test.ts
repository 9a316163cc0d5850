import { get, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { getBranding } from '@keepwatch/contract/branding/branding';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestPortal, type TestPortal } from '../testing/test-portal.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

const brandOf = async (domain?: string) =>
  (await portal.anonymous.call(getBranding, { query: domain === undefined ? {} : { domain } })).data;

/** Asked at a host name, which `fetch` does not let a test set. */
async function brandIdAt(host: string): Promise<number> {
  const reply = await new Promise<IncomingMessage>((resolve, reject) => {
    get(new URL('/api/branding', portal.url), { headers: { host } }, resolve).on('error', reject);
  });
  return getBranding.reply.parse(await json(reply)).data.id;
}

describe('GET branding', () => {
  it('200: is the brand that has claimed the host name, however it is written', async () => {
    expect(await brandOf('OTHER.localhost')).toMatchObject({ id: 2, name: 'Provider 2', layout: 'keepwatch' });
    expect((await brandOf('other.localhost.')).id).toBe(2);
    expect(await brandIdAt('Other.localhost.:8443')).toBe(2);
  });

  it('200: is the brand of the requested host, and brand 1 for a host without a provider', async () => {
    expect((await brandOf()).id).toBe(1);
    expect((await brandOf("unknown' or 1=1 --")).id).toBe(1);
  });

  it('200: lists no accounts outside the demonstration', async () => {
    expect((await brandOf()).demonstration).toBeNull();
  });

  it('422: refuses a name that is longer than any host name, and a question it does not know', async () => {
    const long = await portal.anonymous.send(getBranding, { query: { domain: 'a'.repeat(254) } });
    const unknown = await portal.anonymous.raw('GET', '/api/branding?host=localhost');
    expect([long.status, unknown.status]).toEqual([422, 422]);
  });
});

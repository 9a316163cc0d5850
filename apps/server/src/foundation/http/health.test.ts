import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { startTestPortal, type TestPortal } from '../../testing/test-portal.ts';
import { openMetrics } from '../metrics.ts';
import { addHealth } from './health.ts';

const TOKEN = 'a token of the test, long enough';

let portal: TestPortal;

afterEach(() => portal.stop());

async function portalWith(options: { metricsToken?: string; trustedProxies?: number } = {}): Promise<void> {
  const { metricsToken = TOKEN, trustedProxies = 0 } = options;
  portal = await startTestPortal(
    async (server, database) => {
      const queue = { send: async () => {}, isAnswering: async () => true };
      const parts = { database, queue, metrics: openMetrics('test') };
      addHealth(server, { ...parts, metricsToken, dataDir: tmpdir() });
    },
    { trustedProxies },
  );
}

const ask = (headers: Record<string, string> = {}) => portal.anonymous.raw('GET', '/metrics', { headers });

/** The status for a request from elsewhere. */
async function askFrom(remoteAddress: string, headers: Record<string, string> = {}): Promise<number> {
  return (await portal.server.inject({ url: '/metrics', remoteAddress, headers })).statusCode;
}

describe('GET /metrics', () => {
  it('200: gives them to this machine, and to others with the token', async () => {
    await portalWith();
    const reply = await ask();
    expect([reply.status, await reply.text()]).toEqual([200, expect.stringContaining('keepwatch_')]);
    expect(await askFrom('::ffff:127.0.0.1')).toBe(200);
    expect(await askFrom('192.0.2.1', { authorization: `Bearer ${TOKEN}` })).toBe(200);
  });

  it('401: refuses others without it, in the shape that all errors have', async () => {
    await portalWith();
    for (const address of ['192.0.2.1', '10.0.0.7', '192.168.1.2', '2001:db8::1'])
      expect([address, await askFrom(address)]).toEqual([address, 401]);
    expect(await askFrom('192.0.2.1', { authorization: `Bearer ${TOKEN}x` })).toBe(401);
    const refused = await portal.server.inject({ url: '/metrics', remoteAddress: '192.0.2.1' });
    expect(refused.json()).toMatchObject({ success: false, code: 'METRICS_TOKEN_REQUIRED' });
    expect(refused.body).not.toContain('keepwatch_');
  });

  it('401: refuses all others where no token is set, also with an empty one', async () => {
    await portalWith({ metricsToken: '' });
    expect(await askFrom('192.0.2.1', { authorization: 'Bearer ' })).toBe(401);
    expect((await ask()).status).toBe(200);
  });

  it.each([0, 1, 2])('401: refuses what a proxy on this machine passes on, with %i trusted', async (trustedProxies) => {
    await portalWith({ trustedProxies });
    for (const claimed of ['203.0.113.7', '127.0.0.1', '127.0.0.1, 127.0.0.1', '::1'])
      expect([claimed, (await ask({ 'x-forwarded-for': claimed })).status]).toEqual([claimed, 401]);
    expect((await ask({ forwarded: 'for=127.0.0.1' })).status).toBe(401);
    expect((await ask({ 'x-forwarded-for': '203.0.113.7', authorization: `Bearer ${TOKEN}` })).status).toBe(200);
  });
});

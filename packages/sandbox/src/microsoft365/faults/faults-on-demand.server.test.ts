import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../server.ts';
import { TenantClient } from '../testing/tenant-client.ts';
import { objectsOf, valueAt } from '../wire/json.ts';
import type { TenantFault } from './fault.ts';

let tenant: RunningTenant;
let client: TenantClient;
let file = '';
/** A follow-up request of a delta, which every kind of fault can hit. */
let path = '';

beforeAll(async () => {
  tenant = await startTenant({ budgets: false, now: () => new Date('2026-11-21T09:00:00Z') });
  client = await TenantClient.signIn(tenant);
  const drive = `/users/ada.lindqvist@${tenant.domain}/drive`;
  const round = await client.drain(`${drive}/root/delta`);
  path = (round.deltaLink ?? '').slice(`${tenant.graphUrl}/v1.0`.length);
  const { body } = await client.get(`${drive}/root/children`);
  const found = objectsOf(valueAt(body, 'value')).find((item) => 'file' in item && Number(item['size']) > 1_000);
  file = `${drive}/items/${found?.['id']}/content`;
});
afterEach(() => tenant.setFaults([]));
afterAll(() => tenant.stop());

const ask = (headers: Record<string, string> = {}) => client.get(path, headers);

/** A fault set by control, as a program on this machine does. */
async function control(method: string, what: string, body?: unknown) {
  const response = await fetch(`${tenant.url}/__sandbox/${what}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

const REFUSALS: readonly [TenantFault, number, string][] = [
  [{ kind: 'throttle', parameters: { retryAfterSeconds: 3 } }, 429, 'TooManyRequests'],
  [{ kind: 'throttle', parameters: { status: 503, as: 'nothing' } }, 503, 'serviceNotAvailable'],
  [{ kind: 'server-error' }, 500, 'InternalServerError'],
  [{ kind: 'server-error', parameters: { status: 504 } }, 504, 'UnknownError'],
  [{ kind: 'expired-token' }, 401, 'InvalidAuthenticationToken'],
  [{ kind: 'sync-state-gone', parameters: { code: 'resyncRequired' } }, 410, 'resyncRequired'],
  [{ kind: 'vanished' }, 404, 'ErrorItemNotFound'],
  [{ kind: 'corrupt' }, 500, 'ErrorCorruptData'],
];

const headerOf = ({ kind, parameters = {} }: TenantFault) =>
  [kind, ...Object.entries(parameters).map(([name, value]) => `${name}=${value}`)].join('; ');

describe('A refusal on demand', () => {
  test.each(REFUSALS)(
    '%j comes for one request by header, and for those that a rule of the control hits',
    async (fault, status, code) => {
      expect(await ask({ 'x-sandbox-fault': headerOf(fault) })).toMatchObject({ status, body: { error: { code } } });
      expect((await ask()).status).toBe(200);
      expect((await control('POST', 'faults', { ...fault, times: 2 })).status).toBe(200);
      for (let hit = 0; hit < 2; hit += 1) expect(await ask()).toMatchObject({ status, body: { error: { code } } });
      expect((await ask()).status).toBe(200);
    },
  );

  test('names a pause where it is asked to, and none otherwise', async () => {
    const pause = async (fault: string) => (await ask({ 'x-sandbox-fault': fault })).headers.get('retry-after');
    expect(await pause('throttle; retryAfterSeconds=3')).toBe('3');
    expect(await pause('throttle; retryAfterSeconds=60; as=date')).toBe('Sat, 21 Nov 2026 09:01:00 GMT');
    expect(await pause('throttle; as=nothing')).toBeNull();
    expect(await pause('server-error; status=503')).toBeNull();
  });

  test('that is unknown is refused and has no effect', async () => {
    expect((await ask({ 'x-sandbox-fault': 'flood' })).status).toBe(400);
    expect((await control('POST', 'faults', [{ kind: 'cut' }, {}])).status).toBe(400);
    expect((await ask()).status).toBe(200);
  });
});

describe('A broken answer on demand', () => {
  const content = (fault: string) =>
    fetch(`${tenant.graphUrl}/v1.0${file}`, {
      headers: { authorization: `Bearer ${client.token}`, 'x-sandbox-fault': fault },
    });
  const json = (fault: string) =>
    fetch(`${tenant.graphUrl}/v1.0${path}`, {
      headers: { authorization: `Bearer ${client.token}`, 'x-sandbox-fault': fault },
    });

  test('breaks off after its share of the announced bytes', async () => {
    const whole = (await ask()).bytes.length;
    const response = await json('cut; share=0.25');
    expect(Number(response.headers.get('content-length'))).toBe(whole);
    let received = 0;
    const reading = async () => {
      for await (const bytes of response.body ?? []) received += bytes.length;
    };
    await expect(reading()).rejects.toThrow();
    expect(received).toBeLessThanOrEqual(Math.floor(whole * 0.25));
  });

  test('gives all of its bytes in the end when they come slowly', async () => {
    const whole = (await ask()).bytes;
    // Pieces that follow one another at once may arrive as one.
    const response = await json(`slow; chunkBytes=${Math.ceil(whole.length / 10)}; intervalMs=30`);
    const parts: Uint8Array[] = [];
    for await (const bytes of response.body ?? []) parts.push(bytes);
    expect(parts.length).toBeGreaterThan(1);
    expect(Buffer.concat(parts).equals(whole)).toBe(true);
  });

  test('is no JSON, is torn, or is nothing, with a status of success', async () => {
    const texts = new Map<string, string>();
    for (const form of ['html', 'truncated', 'empty']) {
      const response = await json(`garbage; form=${form}`);
      expect(response.status).toBe(200);
      texts.set(form, await response.text());
    }
    expect(texts.get('html')).toContain('<html>');
    expect(texts.get('empty')).toBe('');
    for (const text of texts.values()) expect(() => JSON.parse(text)).toThrow();
  });

  test('hits the way to the bytes of a file as well', async () => {
    expect((await content('vanished')).status).toBe(404);
    expect((await content('slow; chunkBytes=100000; intervalMs=1')).status).toBe(200);
  });
});

describe('The control', () => {
  test('counts requests, resets the counts, and does not count itself', async () => {
    await control('DELETE', 'requests');
    await ask();
    await ask({ 'x-sandbox-fault': 'vanished' });
    const { body } = await control('GET', 'requests');
    expect(body).toMatchObject({ total: 2, byStatus: { 200: 1, 404: 1 } });
  });

  test('moves the clock, with which tokens expire', async () => {
    const other = await startTenant({ size: 'empty' });
    try {
      const signedIn = await TenantClient.signIn(other);
      expect((await signedIn.get('/organization')).status).toBe(200);
      const { status } = await fetch(`${other.url}/__sandbox/clock`, {
        method: 'POST',
        body: JSON.stringify({ advanceMs: 3_700_000 }),
        headers: { 'content-type': 'application/json' },
      });
      expect(status).toBe(200);
      expect((await signedIn.get('/organization')).status).toBe(401);
    } finally {
      await other.stop();
    }
  });

  test.each([
    ['clock', { advanceMs: -1 }],
    ['clock', {}],
    ['evolve', { steps: 'many' }],
    ['devicecode', { userCode: 'unknown' }],
  ])('refuses %s with %j, and says why', async (what, body) => {
    const refused = await control('POST', what, body);
    expect(refused).toMatchObject({ status: 400, body: { message: expect.any(String) } });
  });

  test('is not there where it was not asked for', async () => {
    const closed = await startTenant({ size: 'empty', control: false });
    try {
      expect((await fetch(`${closed.url}/__sandbox`)).status).not.toBe(200);
    } finally {
      await closed.stop();
    }
  });
});

import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../server.ts';
import { TenantClient } from '../testing/tenant-client.ts';
import { type JsonObject, objectsOf, valueAt } from './json.ts';

let tenant: RunningTenant;
let client: TenantClient;
let user: string;

beforeAll(async () => {
  const now = () => new Date('2026-11-21T09:00:00Z');
  tenant = await startTenant({ size: 'small', latencyMs: 30, now });
  client = await TenantClient.signIn(tenant);
  user = `/users/${tenant.tenant.directory.users.find(({ mailbox }) => mailbox)?.id}`;
});
afterEach(() => tenant.setFaults([]));
afterAll(() => tenant.stop());

const batch = (requests: object[]) => client.ask('POST', '/$batch', { requests });
/** In the order of their ids: they come in any. */
const responses = (body: unknown) =>
  objectsOf(valueAt(body, 'responses')).toSorted((one, other) => (String(one['id']) < String(other['id']) ? -1 : 1));

describe('a batch', () => {
  test('answers every part with its own status, headers and body', async () => {
    const { status, body } = await batch([
      { id: '1', method: 'GET', url: '/organization' },
      { id: '2', method: 'GET', url: `${user}/messages/nonsense` },
      { id: '3', method: 'GET', url: '/planets' },
    ]);
    expect(status).toBe(200);
    expect(responses(body)).toMatchObject([
      { id: '1', status: 200, body: { value: [{ id: tenant.tenantId }] } },
      { id: '2', status: 400, body: { error: { code: 'ErrorInvalidIdMalformed' } } },
      { id: '3', status: 400 },
    ]);
  });

  test('gives MIME as base64, and runs what depends on others after them', async () => {
    const { value } = await client.drain(`${user}/mailFolders/inbox/messages?$top=100`);
    const { body } = await batch([
      { id: 'a', method: 'GET', url: `${user}/messages/${value[0]?.['id']}/$value` },
      { id: 'b', method: 'GET', url: `${user}/mailFolders/nonsense`, dependsOn: ['a'] },
      { id: 'c', method: 'GET', url: '/organization', dependsOn: ['b'] },
    ]);
    const [mime, , dependent] = responses(body);
    const alone = await client.get(`${user}/messages/${value[0]?.['id']}/$value`);
    expect(Buffer.from(String(mime?.['body']), 'base64').equals(alone.bytes)).toBe(true);
    expect(dependent).toMatchObject({ status: 424 });
  });

  test('of more than twenty requests, or with an id twice, is refused', async () => {
    const one = { method: 'GET', url: '/organization' };
    expect((await batch(Array.from({ length: 21 }, (_, id) => ({ id: String(id), ...one })))).status).toBe(400);
    expect(
      (
        await batch([
          { id: 'x', ...one },
          { id: 'x', ...one },
        ])
      ).status,
    ).toBe(400);
  });

  test('sends four of its requests to a mailbox at a time, and two batches at once go beyond its limit', async () => {
    const requests = Array.from({ length: 20 }, (_, id) => {
      return { id: String(id), method: 'GET', url: `${user}/mailFolders/inbox` };
    });
    tenant.resetRequests();
    const { body } = await batch(requests);
    expect(responses(body).map(({ status }) => status)).toEqual(requests.map(() => 200));
    expect(Object.values(tenant.requests().peakByMailbox)).toContain(4);
    const both = await Promise.all([batch(requests.slice(0, 4)), batch(requests.slice(0, 4))]);
    const throttled = both.flatMap(({ body: one }) => responses(one)).filter(({ status }) => status === 429);
    expect(throttled.length).toBeGreaterThan(0);
    expect(throttled[0]).toMatchObject({
      headers: { 'retry-after': '1' },
      body: { error: { code: 'ApplicationThrottled' } },
    });
  });

  test('gives photos of contacts as base64 among refusals of those that have none, and answers as they are ready', async () => {
    const { value } = await client.drain(`${user}/contacts`);
    const urls = value.slice(0, 3).map(({ id }: JsonObject) => `${user}/contacts/${id}/photo/$value`);
    const photo = Buffer.from([0xff, 0xd8, 0xff]);
    await client.ask('PUT', urls[1] ?? '', photo, { 'content-type': 'image/jpeg' });
    tenant.setFaults([{ kind: 'throttle', path: urls[2] ?? '', times: 1, parameters: { retryAfterSeconds: 3 } }]);
    const { status, body } = await batch(urls.map((url, id) => ({ id: String(id), method: 'GET', url })));
    expect(status).toBe(200);
    expect(responses(body)).toMatchObject([
      { id: '0', status: 404, body: { error: { code: 'ErrorItemNotFound' } } },
      { id: '1', status: 200, headers: { 'content-type': 'image/jpeg' }, body: photo.toString('base64') },
      { id: '2', status: 429, headers: { 'retry-after': '3' } },
    ]);
    // The refusal waits for nothing.
    expect(objectsOf(valueAt(body, 'responses'))[0]).toMatchObject({ id: '2' });
  });
});

describe('the budget of a mailbox', () => {
  test('is four requests at a time, by id and name together', async () => {
    const name = tenant.tenant.directory.user(user.slice(7)).userPrincipalName;
    const paths = [user, user, user, `/users/${name}`, `/users/${name}`].map((path) => `${path}/mailFolders/inbox`);
    const answers = await Promise.all(paths.map((path) => client.get(path)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 429]);
    expect(Object.values(tenant.requests().peakByMailbox)).toContain(4);
  });
});

test('what has been asked is counted by operation and status', async () => {
  tenant.resetRequests();
  await client.get(`${user}/mailFolders`);
  await client.get(`${user}/mailFolders/inbox`);
  await client.get('/users/unknown');
  const counted = await fetch(`${tenant.url}/__sandbox/requests`);
  expect(await counted.json()).toMatchObject({
    total: 3,
    byOperation: {
      'GET /users/{user}/mailFolders': 1,
      'GET /users/{user}/mailFolders/{folder}': 1,
      'GET /users/{user}': 1,
    },
    byStatus: { 200: 2, 404: 1 },
  });
});

describe('a fault', () => {
  const path = '/users/*/mailFolders/inbox';
  const inbox = () => client.get(`${user}/mailFolders/inbox`);

  test.each([
    [{ kind: 'throttle', parameters: { retryAfterSeconds: 7 } }, 429, 'TooManyRequests'],
    [{ kind: 'throttle', parameters: { status: 503 } }, 503, 'serviceNotAvailable'],
    [{ kind: 'server-error', parameters: { status: 502 } }, 502, 'BadGateway'],
    [{ kind: 'expired-token' }, 401, 'InvalidAuthenticationToken'],
    [{ kind: 'vanished' }, 404, 'ErrorItemNotFound'],
    [{ kind: 'corrupt' }, 500, 'ErrorCorruptData'],
  ] as const)('%j hits its path once and then no more', async (fault, status, code) => {
    tenant.setFaults([{ ...fault, path, times: 1 }]);
    expect((await client.get('/organization')).status).toBe(200);
    expect(await inbox()).toMatchObject({ status, body: { error: { code } } });
    expect((await inbox()).status).toBe(200);
  });

  test('says when to come back in seconds or as a date', async () => {
    tenant.setFaults([{ kind: 'throttle', times: 1, parameters: { retryAfterSeconds: 7 } }]);
    expect((await inbox()).headers.get('retry-after')).toBe('7');
    tenant.setFaults([{ kind: 'throttle', times: 1, parameters: { retryAfterSeconds: 7, as: 'date' } }]);
    expect((await inbox()).headers.get('retry-after')).toBe('Sat, 21 Nov 2026 09:00:07 GMT');
  });

  test('of a lost sync state hits follow-ups of delta alone', async () => {
    const { deltaLink } = await client.drain(`${user}/mailFolders/delta`);
    tenant.setFaults([{ kind: 'sync-state-gone' }]);
    expect((await inbox()).status).toBe(200);
    expect(await client.get(deltaLink ?? '')).toMatchObject({
      status: 410,
      body: { error: { code: 'SyncStateNotFound' } },
    });
  });

  test('hits one part of a batch alone', async () => {
    tenant.setFaults([{ kind: 'server-error', path, times: 1, parameters: { status: 503 } }]);
    const { status, body } = await batch([
      { id: '1', method: 'GET', url: `${user}/mailFolders/inbox` },
      { id: '2', method: 'GET', url: '/organization' },
    ]);
    expect(status).toBe(200);
    expect(responses(body).map((part) => part['status'])).toEqual([503, 200]);
  });

  test('breaks connections, and garbles answers', async () => {
    tenant.setFaults([{ kind: 'cut', path, times: 1 }]);
    await expect(inbox()).rejects.toThrow();
    const garbage = await fetch(`${tenant.graphUrl}/v1.0/organization`, {
      headers: { authorization: `Bearer ${client.token}`, 'x-sandbox-fault': 'garbage' },
    });
    expect(await garbage.text()).toContain('<html>');
    tenant.setFaults([{ kind: 'hang', path, times: 1 }]);
    const hanging = fetch(`${tenant.graphUrl}/v1.0${user}/mailFolders/inbox`, { signal: AbortSignal.timeout(100) });
    await expect(hanging).rejects.toThrow();
    const slow = await client.get('/organization', { 'x-sandbox-fault': 'slow; chunkBytes=200; intervalMs=1' });
    expect(slow.status).toBe(200);
  });

  test('can be set and ended by the control, which says what it does not understand', async () => {
    const control = (method: string, body?: object) =>
      fetch(`${tenant.url}/__sandbox/faults`, {
        method,
        ...(body ? { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } } : {}),
      });
    expect((await control('POST', { kind: 'throttle', path })).status).toBe(200);
    expect((await inbox()).status).toBe(429);
    expect((await control('DELETE')).status).toBe(204);
    expect((await inbox()).status).toBe(200);
    const wrong = await control('POST', { kind: 'flood' });
    expect(wrong.status).toBe(400);
    expect(await wrong.json()).toMatchObject({ message: expect.stringContaining('kind must be one of throttle') });
  });
});

test('a tenant that evolves changes, and delta reports all changes', async () => {
  const stateOf = async () => {
    const state = new Map<string, unknown>();
    const { value: folders } = await client.drain(`${user}/mailFolders/delta`, { prefer: 'odata.maxpagesize=500' });
    for (const { id } of folders) {
      const { value } = await client.drain(`${user}/mailFolders/${id}/messages/delta?$select=changeKey`, immutable);
      for (const message of value) state.set(`${id} ${message['id']}`, message['changeKey']);
    }
    return state;
  };
  const immutable = { prefer: 'IdType="ImmutableId", odata.maxpagesize=500' };
  const links = new Map<string, string>();
  const mirror = await stateOf();
  const { value: folders, deltaLink } = await client.drain(`${user}/mailFolders/delta`);
  for (const { id } of folders) {
    const round = await client.drain(`${user}/mailFolders/${id}/messages/delta?$select=changeKey`, immutable);
    links.set(String(id), round.deltaLink ?? '');
  }
  tenant.evolve(400);
  for (const { id } of (await client.drain(deltaLink ?? '')).value) {
    if (!links.has(String(id))) links.set(String(id), `${user}/mailFolders/${id}/messages/delta?$select=changeKey`);
  }
  for (const [folder, link] of links) {
    for (const message of (await client.drain(link, immutable)).value) {
      const key = `${folder} ${message['id']}`;
      if ('@removed' in message) mirror.delete(key);
      else mirror.set(key, message['changeKey']);
    }
  }
  expect(mirror).toEqual(await stateOf());
});

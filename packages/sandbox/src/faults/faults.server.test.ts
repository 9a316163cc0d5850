import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type RunningSandbox, startSandbox } from '../server.ts';
import { ask, at, listAt, textAt } from '../testing/console-client.ts';

const companies = '/organizations/companies';
let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ tls: false, companyCount: 12, now: () => new Date('2026-11-21T09:00:00Z') });
});
afterEach(() => sandbox.setFaults([]));
afterAll(() => sandbox.stop());

test('throttle answers 429, says when to come again, and lets the next request through', async () => {
  sandbox.setFaults([{ kind: 'throttle', times: 1, parameters: { retryAfterSeconds: 3 } }]);
  const refused = await ask(sandbox, companies);
  expect(refused.status).toBe(429);
  expect(refused.headers.get('retry-after')).toBe('3');
  expect(at(refused.body, 'errors', 0)).toMatchObject({ type: 'retryableLogical', code: 429 });
  expect((await ask(sandbox, companies)).status).toBe(200);
});

test.each([500, 503, 520])('server-error answers %i in the shape of the vendor', async (status) => {
  const { status: found, body } = await ask(sandbox, companies, {
    'x-sandbox-fault': `server-error; status=${status}`,
  });
  expect(found).toBe(status);
  expect(at(body, 'errors', 0, 'code')).toBe(status);
});

test('expired-token refuses a good key once', async () => {
  sandbox.setFaults([{ kind: 'expired-token' }]);
  expect((await ask(sandbox, companies)).status).toBe(401);
  expect((await ask(sandbox, companies)).status).toBe(200);
});

test.each(['html', 'truncated', 'empty'])(
  'garbage in the form %s comes with status 200 and is no JSON',
  async (form) => {
    const { status, body } = await ask(sandbox, companies, { 'x-sandbox-fault': `garbage; form=${form}` });
    expect(status).toBe(200);
    expect(body).toBeUndefined();
  },
);

test('cut breaks the connection in the middle of the body', async () => {
  await expect(ask(sandbox, companies, { 'x-sandbox-fault': 'cut' })).rejects.toThrow();
  expect((await ask(sandbox, companies)).status).toBe(200);
});

test('slow brings the whole body, a few bytes at a time', async () => {
  const whole = await ask(sandbox, '/about');
  const slow = await fetch(`${sandbox.url}/about`, {
    headers: { authorization: `Bearer ${sandbox.apiKey}`, 'x-sandbox-fault': 'slow; chunkBytes=40; intervalMs=2' },
  });
  let chunks = 0;
  let text = '';
  for await (const chunk of slow.body ?? []) {
    chunks += 1;
    text += Buffer.from(chunk).toString();
  }
  expect(text).toBe(whole.text);
  expect(chunks).toBeGreaterThan(2);
});

test('hang never answers; the caller has to time out', async () => {
  const waiting = fetch(sandbox.url + companies, {
    headers: { authorization: `Bearer ${sandbox.apiKey}`, 'x-sandbox-fault': 'hang' },
    signal: AbortSignal.timeout(150),
  });
  await expect(waiting).rejects.toThrow(/timeout|aborted/i);
});

test('wrong-shape spoils one entity and leaves the others whole', async () => {
  const { body } = await ask(sandbox, companies, { 'x-sandbox-fault': 'wrong-shape; index=2' });
  const entities = listAt(body, 'data');
  expect(entities.filter((entity) => typeof at(entity, 'name') === 'string')).toHaveLength(11);
  expect(at(entities[2], 'instanceUid')).toBeUndefined();
  expect(at(entities[2], 'name')).toEqual({ unexpected: [1, null] });
});

test('wrong-shape applies to the named properties', async () => {
  const header = { 'x-sandbox-fault': 'wrong-shape; missing=uniqueUid; wrong=status' };
  const { body } = await ask(sandbox, '/infrastructure/backupServers/jobs', header);
  expect(at(body, 'data', 0, 'uniqueUid')).toBeUndefined();
  expect(typeof at(body, 'data', 0, 'status')).toBe('object');
  expect(typeof at(body, 'data', 0, 'instanceUid')).toBe('string');
});

test('same-page gives the first page for ever, and always promises more', async () => {
  sandbox.setFaults([{ kind: 'same-page' }]);
  const pages = await Promise.all(
    [0, 5, 10, 500].map((offset) => ask(sandbox, `${companies}?limit=5&offset=${offset}`)),
  );
  const ids = pages.map((page) => listAt(page.body, 'data').map((entity) => at(entity, 'instanceUid')));
  expect(new Set(ids.map(String)).size).toBe(1);
  for (const [index, offset] of [0, 5, 10, 500].entries()) {
    expect(at(pages[index]?.body, 'meta', 'pagingInfo', 'total')).toBeGreaterThan(offset + 5);
  }
});

test('half-page leaves the second half out and says so in the count alone', async () => {
  const { body } = await ask(sandbox, `${companies}?limit=10`, { 'x-sandbox-fault': 'half-page' });
  expect(listAt(body, 'data')).toHaveLength(5);
  expect(at(body, 'meta', 'pagingInfo')).toEqual({ total: 12, count: 5, offset: 0 });
});

describe('async', () => {
  const id = '0f8b7a52-3c1d-4a77-9b1e-2f6f3c9d1e55';

  test('promises an action under the id of the request, and its result is the answer itself', async () => {
    const direct = await ask(sandbox, `${companies}?limit=3`);
    const promised = await ask(sandbox, `${companies}?limit=3`, {
      'x-sandbox-fault': 'async; polls=1',
      'x-request-id': id,
    });
    expect(promised.status).toBe(202);
    expect(promised.text).toBe('');
    expect(promised.headers.get('location')).toBe(`/api/v3/asyncActions/${id}`);
    expect((await ask(sandbox, `/asyncActions/${id}/result`)).status).toBe(404);
    const running = await ask(sandbox, `/asyncActions/${id}`);
    expect(at(running.body, 'data')).toMatchObject({ id, status: 'running', queryParameters: { limit: ['3'] } });
    expect(at((await ask(sandbox, `/asyncActions/${id}`)).body, 'data', 'status')).toBe('succeed');
    const result = await ask(sandbox, `/asyncActions/${id}/result`);
    expect(result.status).toBe(200);
    expect(result.text).toBe(direct.text);
  });

  test('makes an id of its own where the request has none', async () => {
    const { headers } = await ask(sandbox, companies, { 'x-sandbox-fault': 'async; polls=0' });
    const path = textAt({ path: headers.get('location') }, 'path').slice('/api/v3'.length);
    expect(at((await ask(sandbox, path)).body, 'data', 'status')).toBe('succeed');
  });

  test('can fail, and says so in the result too', async () => {
    const header = { 'x-sandbox-fault': 'async; polls=0; outcome=failed', 'x-request-id': id };
    await ask(sandbox, companies, header);
    expect(at((await ask(sandbox, `/asyncActions/${id}`)).body, 'data', 'status')).toBe('failed');
    expect((await ask(sandbox, `/asyncActions/${id}/result`)).status).toBe(520);
  });

  test('is not promised to who has no key', async () => {
    const { status } = await ask(sandbox, companies, { 'x-sandbox-fault': 'async', authorization: 'Bearer unknown' });
    expect(status).toBe(401);
  });

  test('knows no action that was never started', async () => {
    expect((await ask(sandbox, '/asyncActions/6d1b0e53-6f5c-4d4f-8a55-000000000000')).status).toBe(404);
  });
});

test('an unknown fault in the header is refused instead of ignored', async () => {
  const { status, body } = await ask(sandbox, companies, { 'x-sandbox-fault': 'flood' });
  expect(status).toBe(400);
  expect(textAt(body, 'errors', 0, 'message')).toContain('kind must be one of');
});

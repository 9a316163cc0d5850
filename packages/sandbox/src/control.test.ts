import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type RunningSandbox, startSandbox } from './server.ts';
import { ask, at, listAt, textAt } from './testing/console-client.ts';

let sandbox: RunningSandbox;

beforeAll(async () => {
  const now = () => new Date('2026-11-21T09:00:00Z');
  sandbox = await startSandbox({ tls: false, companyCount: 3, control: true, now });
});
beforeEach(() => sandbox.setFaults([]));
afterAll(() => sandbox.stop());

async function steer(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
  const response = await fetch(new URL(path, sandbox.url), {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

test('the sandbox describes itself', async () => {
  const { status, body } = await steer('GET', '/__sandbox');
  expect(status).toBe(200);
  expect(body).toMatchObject({ now: expect.stringContaining('2026-11-21T'), seed: 1, faults: [] });
  expect(listAt(body, 'resources')).toContain('/api/v3/infrastructure/backupServers/jobs');
  expect(listAt(body, 'faultKinds')).toHaveLength(11);
});

test('sets faults, lists how often each can still hit, and removes them', async () => {
  expect((await steer('POST', '/__sandbox/faults', [{ kind: 'server-error', path: '/about', times: 2 }])).status).toBe(
    200,
  );
  expect((await ask(sandbox, '/about')).status).toBe(500);
  expect((await ask(sandbox, '/users/me')).status).toBe(200);
  expect(at((await steer('GET', '/__sandbox')).body, 'faults', 0, 'timesLeft')).toBe(1);
  expect((await steer('DELETE', '/__sandbox/faults')).status).toBe(204);
  expect((await ask(sandbox, '/about')).status).toBe(200);
});

test('refuses an invalid fault, and the active ones stay', async () => {
  sandbox.setFaults([{ kind: 'throttle' }]);
  const { status, body } = await steer('POST', '/__sandbox/faults', [{ kind: 'flood' }]);
  expect(status).toBe(400);
  expect(textAt(body, 'message')).toContain('kind must be one of');
  expect(at((await steer('GET', '/__sandbox')).body, 'faults', 0, 'kind')).toBe('throttle');
});

test('the clock goes forward, and the world with it', async () => {
  const before = await ask(sandbox, '/infrastructure/backupServers/jobs');
  const start = Date.parse(textAt((await steer('GET', '/__sandbox')).body, 'now'));
  const { body } = await steer('POST', '/__sandbox/clock', { advanceMs: 86_400_000 });
  expect(Date.parse(textAt(body, 'now'))).toBe(start + 86_400_000);
  const after = await ask(sandbox, '/infrastructure/backupServers/jobs');
  expect(after.text).not.toBe(before.text);
});

test.each([{ advanceMs: -1 }, { advanceMs: 'a day' }, {}, 5])('the clock does not take %j', async (body) => {
  expect((await steer('POST', '/__sandbox/clock', body)).status).toBe(400);
});

test('a sandbox that was not started for it cannot be steered', async () => {
  const closed = await startSandbox({ tls: false, companyCount: 1 });
  try {
    for (const path of ['/__sandbox', '/__sandbox/faults', '/__sandbox/clock']) {
      expect((await fetch(new URL(path, closed.url), { method: 'POST' })).status).toBe(404);
      expect((await fetch(new URL(path, closed.url))).status).toBe(404);
    }
  } finally {
    await closed.stop();
  }
});

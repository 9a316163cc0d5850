import { describe, expect, test } from 'vitest';
import { connectOffline, fine, throttled } from '../../../testing/graph/unsent-graph.ts';
import { jsonReply } from '../../../testing/made-reply.ts';

describe('Several applications', () => {
  const applications = ['a', 'b', 'c'].map((clientId) => ({ clientId, secret: 's' }));

  test('have 4 requests to a mailbox at once each, and no more', async () => {
    const inFlight = new Map<string, number>();
    const peaks = new Map<string, number>();
    const { connection } = connectOffline(fine, {
      applications,
      send: async ({ url, headers, body }) => {
        const client = new URLSearchParams(String(body ?? '')).get('client_id');
        if (client !== null) return jsonReply({ access_token: client, expires_in: 3_600 });
        const key = `${headers['authorization']} ${url.split('/')[5]}`;
        inFlight.set(key, (inFlight.get(key) ?? 0) + 1);
        peaks.set(key, Math.max(peaks.get(key) ?? 0, inFlight.get(key) ?? 0));
        await new Promise((resolve) => setImmediate(resolve));
        inFlight.set(key, (inFlight.get(key) ?? 0) - 1);
        return fine();
      },
    });
    const paths = ['one', 'two'].flatMap((user) => Array.from({ length: 40 }, () => `/users/${user}/messages`));
    await Promise.all(paths.map((path) => connection.page({ path })));
    expect([...peaks.values()]).toEqual([4, 4, 4, 4, 4, 4]);
  });

  test('go on for a mailbox while one of them is throttled, and that one waits as long as it was asked to', async () => {
    const { connection, sent, clock } = connectOffline(
      ({ token }) => (token?.startsWith('Bearer a-') && clock.now() < untilMs ? throttled('60') : fine()),
      { applications },
    );
    const untilMs = clock.now() + 60_000;
    for (let asked = 0; asked < 12; asked += 1) await connection.page({ path: '/users/one/messages' });
    expect(clock.now()).toBe(untilMs - 60_000);
    expect(sent.filter(({ token }) => token?.startsWith('Bearer a-'))).toHaveLength(1);
  });
});

describe('A pause that is asked for', () => {
  test.each([429, 503])('with status %i is obeyed to the millisecond, without a request meanwhile', async (status) => {
    const askedAtMs: number[] = [];
    const { connection, clock } = connectOffline((_, count) => {
      askedAtMs.push(clock.now());
      if (count > 1) return fine();
      return jsonReply({ error: { code: 'x', message: 'No.' } }, { status, headers: { 'retry-after': '13' } });
    });
    const beganMs = clock.now();
    await connection.page({ path: '/users/one/messages' });
    await Promise.all([1, 2, 3].map(() => connection.page({ path: '/users/one/messages' })));
    expect(askedAtMs.map((ms) => ms - beganMs)).toEqual([0, 13_000, 13_000, 13_000, 13_000]);
  });

  test('by a part of a batch is obeyed by the next batch of that mailbox', async () => {
    const askedAtMs: number[] = [];
    const { connection, clock } = connectOffline((_, count) => {
      askedAtMs.push(clock.now());
      const again = { id: '0', status: 429, headers: { 'Retry-After': '9' }, body: {} };
      return jsonReply({ responses: [count === 1 ? again : { id: '0', status: 200, body: { id: 'm' } }] });
    });
    const beganMs = clock.now();
    await connection.batch([{ path: '/users/one/messages/m' }]);
    expect(askedAtMs.map((ms) => ms - beganMs)).toEqual([0, 9_000]);
  });

  test('by the sign-in is obeyed too', async () => {
    let signIns = 0;
    const { connection, clock } = connectOffline(fine, {
      send: async ({ url }) => {
        if (!url.endsWith('/token')) return fine();
        signIns += 1;
        return signIns === 1 ? throttled('21') : jsonReply({ access_token: 't', expires_in: 3_600 });
      },
    });
    const beganMs = clock.now();
    await connection.page({ path: '/users' });
    expect(clock.now() - beganMs).toBe(21_000);
  });

  test('by SharePoint with the last units that are left is obeyed before it refuses', async () => {
    const askedAtMs: number[] = [];
    const { connection, clock } = connectOffline(() => {
      askedAtMs.push(clock.now());
      return jsonReply({}, { headers: { 'ratelimit-remaining': '0', 'ratelimit-reset': '5' } });
    });
    const beganMs = clock.now();
    for (const _ of [1, 2]) await connection.ask({ path: '/drives/d/items/i' });
    expect(askedAtMs.map((ms) => ms - beganMs)).toEqual([0, 5_000]);
  });
});

import { expect, test } from 'vitest';
import type { EngineEvent } from '../../../model/engine-event.ts';
import { JumpingClock } from '../../../testing/graph/graph-tenant.ts';
import { jsonReply } from '../../../testing/made-reply.ts';
import { openGraphConnection, REQUESTS_AT_ONCE } from '../connection.ts';
import { reportingLongWaits } from '../long-waits.ts';
import { sharedLimits } from './shared-limits.ts';
import type { HttpRequest } from './transport.ts';

const TOKEN = { access_token: 'token', expires_in: 3_600 };

/** A tenant that counts how many requests of a mailbox it has at one time. */
function countedTenant() {
  const tenant = { underWay: 0, most: 0, throttled: 0 };
  const send = async ({ url }: HttpRequest) => {
    if (url.includes('/token')) return jsonReply(TOKEN);
    if (tenant.throttled > 0) {
      tenant.throttled -= 1;
      return jsonReply({ error: { code: 'ApplicationThrottled' } }, { status: 429, headers: { 'retry-after': '120' } });
    }
    tenant.underWay += 1;
    tenant.most = Math.max(tenant.most, tenant.underWay);
    await new Promise((resolve) => setTimeout(resolve, 5));
    tenant.underWay -= 1;
    return jsonReply({ value: [] });
  };
  return { tenant, send };
}

const options = (clientId: string) =>
  ({ cloud: 'worldwide', tenantId: 'contoso', applications: [{ clientId, secret: 's' }] }) as const;

test('connections of one application in one tenant share its budgets, and others do not', async () => {
  const clock = new JumpingClock();
  const { tenant, send } = countedTenant();
  const askTen = (connection: ReturnType<typeof openGraphConnection>) =>
    Promise.all(Array.from({ length: 10 }, () => connection.ask({ path: '/users/ada/messages' })));
  const connections = [1, 2, 3].map(() => openGraphConnection({ ...options('one'), send, clock }));
  await Promise.all(connections.map(askTen));
  // As many as Microsoft allows an application in a mailbox.
  expect(tenant.most).toBe(4);
  tenant.most = 0;
  await Promise.all(['two', 'three'].map((id) => askTen(openGraphConnection({ ...options(id), send, clock }))));
  expect(tenant.most).toBe(8);
});

test('a pause that one of them was given applies to all, and each reports its own wait', async () => {
  let goOn = () => {};
  const over = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let nowMs = Date.parse('2026-11-02T08:00:00Z');
  let sleeping = 0;
  const clock = {
    now: () => nowMs,
    async sleep() {
      sleeping += 1;
      await over;
    },
  };
  const { tenant, send } = countedTenant();
  const events: EngineEvent[][] = [[], []];
  const [one, other] = events.map((into) =>
    openGraphConnection({
      ...options('four'),
      send,
      clock: reportingLongWaits(clock, 'Microsoft 365', (event) => void into.push(event)),
    }),
  );
  tenant.throttled = 1;
  const path = '/users/ada/messages';
  const first = one?.ask({ path });
  await expect.poll(() => sleeping).toBe(1);
  const second = other?.ask({ path });
  await expect.poll(() => sleeping).toBe(2);
  expect(tenant.most).toBe(0);
  nowMs += 120_000;
  goOn();
  await Promise.all([first, second]);
  expect(tenant.most).toBeGreaterThan(0);
  for (const seen of events) expect(seen).toEqual([expect.objectContaining({ type: 'waiting', on: 'source' })]);
});

test('connections that say other numbers of licences share one budget, which is that of the larger number', async () => {
  const clock = new JumpingClock();
  const limits = (licences: number) => sharedLimits(licences, clock, ['https://graph', 'contoso', 'five']);
  const [smaller, larger] = [limits(1_000), limits(5_000)];
  expect(larger).toBe(smaller);
  expect(limits(1_000)).toBe(larger);
  const { signal } = new AbortController();
  const before = clock.now();
  const enter = async (units: number) =>
    (await larger.budgetOf({ kind: 'sharepoint', key: 'drive' }).enter({ requests: 1, units }, signal))();
  await enter(2_400);
  expect(clock.now()).toBe(before);
  await enter(200);
  expect(clock.now()).toBeGreaterThan(before);
});

test('a connection has a bounded number of questions under way, whatever it asks about', async () => {
  const { tenant, send } = countedTenant();
  const connection = openGraphConnection({ ...options('five'), send, clock: new JumpingClock() });
  const people = Array.from({ length: 3 * REQUESTS_AT_ONCE }, (_, number) => `/users/${number}/messages`);
  await Promise.all(people.map((path) => connection.ask({ path })));
  expect(tenant.most).toBe(REQUESTS_AT_ONCE);
});

test('bodies that wait for being read leave room for questions', async () => {
  const never = new Promise<Uint8Array>(() => undefined);
  const begun: string[] = [];
  const send = async ({ url }: HttpRequest) => {
    if (url.includes('/token')) return jsonReply(TOKEN);
    if (!url.endsWith('$value')) return jsonReply({ id: 'ada' });
    begun.push(url);
    const body = (async function* () {
      yield new Uint8Array(1);
      yield await never;
    })();
    return { status: 200, header: () => null, body, discard: () => undefined };
  };
  const connection = openGraphConnection({ ...options('six'), send, clock: new JumpingClock() });
  const bodies = Array.from({ length: REQUESTS_AT_ONCE }, (_, number) =>
    connection.download({ path: `/users/${number}/messages/1/$value` }),
  );
  await Promise.all(bodies.map((body) => body.next()));
  expect(begun).toHaveLength(REQUESTS_AT_ONCE);
  expect(await connection.ask({ path: '/users/ada' })).toEqual({ id: 'ada' });
});

import { signOut } from '@keepwatch/contract/identity/sessions';
import { LIVE_EVENTS } from '@keepwatch/contract/live-events';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openEnrolled, SESSION_MS, sessionOf } from '../../identity/sessions.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from '../../testing/test-portal.ts';
import { execute, row, transaction } from '../database.ts';
import { type LiveEvents, listenForEvents, publish } from '../events.ts';
import { openLog } from '../log.ts';
import { openMetrics } from '../metrics.ts';
import { hashOfToken } from '../secrets.ts';
import { addLiveEvents } from './live-events.ts';

let portal: TestPortal;
let events: LiveEvents;

beforeEach(async () => {
  portal = await startTestPortal((server, database, databaseUrl) => {
    const findSession = (token: string) => sessionOf(database, token, portal.clock.now);
    return listenForEvents(databaseUrl, openLog('silent', 'test')).then((listening) => {
      events = listening;
      addLiveEvents(server, { events, metrics: openMetrics('test'), findSession, now: () => portal.clock.now });
    });
  });
});
afterEach(async () => {
  await portal.stop();
  await events.stop();
});

/** Reads the stream until its text contains `requested`. */
async function readUntil(response: Response, requested: string): Promise<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (!text.includes(requested)) {
    const chunk = await reader?.read();
    if (chunk === undefined || chunk.done) break;
    text += chunk.value;
  }
  await reader?.cancel();
  return text;
}

const listen = (caller: Caller) => caller.raw('GET', '/api/events');

describe('GET /api/events', () => {
  it("200: reports what changed at the caller's provider, and nothing of another", async () => {
    const [mine, theirs] = [await portal.as('operator'), await portal.as('operator', { providerId: 2 })];
    const [one, other] = [await listen(mine), await listen(theirs)];
    await publish(portal.database, { name: 'executions.changed', providerId: 1 });
    await publish(portal.database, { name: 'sync.changed', providerId: 2 });
    expect(await readUntil(one, 'executions.changed')).not.toContain('sync.changed');
    expect(await readUntil(other, 'sync.changed')).not.toContain('executions.changed');
  });

  it('200: reports nothing to a restore operator, for whom the activity of a provider is not', async () => {
    const [operator, both, admin] = [
      await portal.as('restore-operator'),
      await portal.as(['restore-operator', 'operator']),
      await portal.as('o365_admin'),
    ];
    const streams = [await listen(operator), await listen(both), await listen(admin)];
    for (const name of LIVE_EVENTS) await publish(portal.database, { name, providerId: 1 });
    const last = LIVE_EVENTS.at(-1) ?? '';
    await Promise.all(streams.slice(1).map((stream) => readUntil(stream, last)));
    await operator.call(signOut, {});
    expect(await readUntil(streams[0] as Response, 'never said')).not.toContain('event:');
  });

  it('200: reports the own account to its user alone, and to who has to add a second factor nothing else', async () => {
    const [person, other] = [await portal.as('operator'), await portal.as('operator')];
    await execute(portal.database, sql`update sessions set must_enrol = true where user_id = ${person.userId}`);
    const [own, others] = [await listen(person), await listen(other)];
    await publish(portal.database, { name: 'sync.changed', providerId: 1 });
    await publish(portal.database, { name: 'profile.changed', providerId: 1, userId: person.userId });
    await publish(portal.database, { name: 'hints.changed', providerId: 1 });
    expect(await readUntil(own, 'profile.changed')).not.toContain('sync.changed');
    expect(await readUntil(others, 'hints.changed')).not.toContain('profile.changed');
  });

  it('200: reports everything once the second factor that was required has been added on another page', async () => {
    const person = await portal.as('operator');
    await execute(portal.database, sql`update sessions set must_enrol = true where user_id = ${person.userId}`);
    const stream = await listen(person);
    const user = { providerId: 1, id: person.userId };
    await transaction(portal.database, (connection) => openEnrolled(connection, user, hashOfToken(person.token ?? '')));
    const read = { isOver: false };
    const reading = readUntil(stream, 'sync.changed').finally(() => {
      read.isOver = true;
    });
    // The session is looked at again in a moment: what is announced until then is not heard.
    const announced = async () => {
      await publish(portal.database, { name: 'sync.changed', providerId: 1 });
      return read.isOver;
    };
    await expect.poll(announced).toBe(true);
    expect(await reading).toContain('profile.changed');
  });

  it('200: comes with the headers that protect its reader', async () => {
    const response = await listen(await portal.as('operator'));
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    await response.body?.cancel();
  });

  it('200: announces the first of many changes at once, and all that follow in few events', async () => {
    const response = await listen(await portal.as('operator'));
    const begunMs = performance.now();
    for (let change = 0; change < 100; change += 1)
      await publish(portal.database, { name: 'executions.changed', providerId: 1 });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const count = () => text.split('event: executions.changed').length - 1;
    const readUntilIt = async (isOver: () => boolean) => {
      while (!isOver()) text += (await reader?.read())?.value ?? '';
    };
    await readUntilIt(() => count() >= 1);
    await publish(portal.database, { name: 'executions.changed', providerId: 1 });
    const before = count();
    await readUntilIt(() => count() > before);
    await publish(portal.database, { name: 'sync.changed', providerId: 1 });
    await readUntilIt(() => text.includes('sync.changed'));
    await reader?.cancel();
    const quarters = Math.ceil((performance.now() - begunMs) / 250);
    expect(count()).toBeLessThanOrEqual(Math.min(100, quarters + 2));
  });

  it('401: refuses without a session', async () => {
    expect((await listen(portal.anonymous)).status).toBe(401);
  });

  it('429: refuses the twenty-first window of one user, and accepts another when one is closed', async () => {
    const user = await portal.as('operator');
    const open = await Promise.all(Array.from({ length: 20 }, () => listen(user)));
    const refused = await listen(user);
    expect([refused.status, (await refused.json()).code]).toEqual([429, 'TOO_MANY_STREAMS']);
    await readUntil(open[0] as Response, 'listening');
    await expect.poll(async () => (await listen(user)).status).toBe(200);
  });

  it('does not keep a server that closes waiting', async () => {
    const response = await listen(await portal.as('operator'));
    const closed = portal.server.close();
    expect(await readUntil(response, 'never said')).toContain('listening');
    await closed;
  });
});

describe('a stream of live events and its session', () => {
  const sessionsOf = ({ userId }: Caller) => sql`user_id = ${userId}`;
  const ENDS: readonly [string, (user: Caller) => Promise<unknown>][] = [
    ['is signed out', (user) => user.call(signOut, {})],
    [
      'belongs to a user whose password is changed',
      (user) => execute(portal.database, sql`update users set password_hash = 'new' where id = ${user.userId}`),
    ],
    [
      'belongs to a user who is disabled',
      (user) => execute(portal.database, sql`update users set disabled_at = now() where id = ${user.userId}`),
    ],
    [
      'belongs to a user who is removed',
      (user) => execute(portal.database, sql`update users set deleted_at = now() where id = ${user.userId}`),
    ],
  ];

  it.each(ENDS)('ends at once when the session %s', async (_, end) => {
    const [user, other] = [await portal.as('operator'), await portal.as('operator')];
    const [stream, open] = [await listen(user), await listen(other)];
    await end(user);
    expect(await readUntil(stream, 'never said')).toContain('listening');
    await publish(portal.database, { name: 'sync.changed', providerId: 1 });
    expect(await readUntil(open, 'sync.changed')).toContain('sync.changed');
  });

  it('ends when the session expires', async () => {
    const user = await portal.as('operator');
    portal.clock.now = new Date(TEST_NOW.getTime() + SESSION_MS - 200);
    const stream = await listen(user);
    portal.clock.now = new Date(TEST_NOW.getTime() + SESSION_MS);
    expect(await readUntil(stream, 'never said')).toContain('listening');
  });

  it('ends on the last day of the session', async () => {
    const user = await portal.as('operator');
    const lastDay = new Date(TEST_NOW.getTime() + 7 * 24 * 3_600_000);
    await execute(portal.database, sql`update sessions set expires_at = ${lastDay} where ${sessionsOf(user)}`);
    portal.clock.now = new Date(lastDay.getTime() - 200);
    const stream = await listen(user);
    portal.clock.now = lastDay;
    expect(await readUntil(stream, 'never said')).toContain('listening');
  });

  it('goes on past the expiry that was known when it was opened, if the session was used since', async () => {
    const user = await portal.as('operator');
    portal.clock.now = new Date(TEST_NOW.getTime() + SESSION_MS - 200);
    const stream = await listen(user);
    const later = new Date(TEST_NOW.getTime() + SESSION_MS + 500);
    await execute(portal.database, sql`update sessions set expires_at = ${later} where ${sessionsOf(user)}`);
    portal.clock.now = new Date(TEST_NOW.getTime() + SESSION_MS + 1);
    const other = await portal.as('operator');
    expect(await readUntil(await listen(other), 'listening')).toContain('listening');
    await publish(portal.database, { name: 'sync.changed', providerId: 1 });
    portal.clock.now = later;
    expect(await readUntil(stream, 'never said')).toContain('sync.changed');
  });

  it('does not prolong the session', async () => {
    const user = await portal.as('operator');
    portal.clock.now = new Date(TEST_NOW.getTime() + SESSION_MS / 2);
    await readUntil(await listen(user), 'listening');
    const stored = await row<{ expiresAt: string }>(
      portal.database,
      sql`select expires_at as "expiresAt" from sessions where ${sessionsOf(user)}`,
    );
    expect(Date.parse(stored?.expiresAt ?? '')).toBe(TEST_NOW.getTime() + SESSION_MS);
  });
});

import { signIn } from '@keepwatch/contract/identity/sessions';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, row, rows } from '../foundation/database.ts';
import { hashOfPassword, hashOfToken } from '../foundation/secrets.ts';
import { PASSWORD, startTestPortal, type TestPortal } from '../testing/test-portal.ts';
import { forgetExpired } from './identity.jobs.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal(undefined, { trustedProxies: 1 });
});
afterAll(() => portal.stop());
// What an earlier test counted is over.
beforeEach(() => {
  portal.clock.now = new Date(portal.clock.now.getTime() + 11 * MINUTE_MS);
});

/** Signs in as a browser behind the trusted proxy does, which says from which address it asks. */
function signInFrom(address: string, username: string, password: string, device?: string): Promise<Response> {
  const cookie: Record<string, string> = device === undefined ? {} : { cookie: `other=1; keepwatch-device=${device}` };
  const headers = { 'x-forwarded-for': address, 'content-type': 'application/json', ...cookie };
  return portal.anonymous.raw('POST', `/api${signIn.path}`, { body: JSON.stringify({ username, password }), headers });
}

const statusFrom = async (...attempt: Parameters<typeof signInFrom>) => (await signInFrom(...attempt)).status;

async function wrongPasswords(count: number, addressOf: (n: number) => string, username: string): Promise<number[]> {
  const statuses: number[] = [];
  for (let n = 0; n < count; n += 1) statuses.push(await statusFrom(addressOf(n), username, 'wrong'));
  return statuses;
}

/** The token of a device from which the user has just signed in. */
async function deviceOf(username: string, address: string, before?: string): Promise<string> {
  const cookie = (await signInFrom(address, username, PASSWORD, before)).headers.get('set-cookie') ?? '';
  return /^keepwatch-device=([^;]+)/.exec(cookie)?.[1] ?? '';
}

const REFUSED_AFTER_EIGHT = [401, 401, 401, 401, 401, 401, 401, 401, 429, 429];

// A password takes a tenth of a second of a processor by design, and these try many.
const LIMIT_MS = 180_000;

describe('wrong passwords', { timeout: LIMIT_MS }, () => {
  it('of a stranger do not lock out a user in another network', async () => {
    const { username } = await portal.as('operator');
    expect(await wrongPasswords(10, (n) => `203.0.113.${n}`, username)).toEqual(REFUSED_AFTER_EIGHT);
    expect(await statusFrom('203.0.113.200', username, PASSWORD)).toBe(429);
    expect(await statusFrom('198.51.100.1', username, PASSWORD)).toBe(200);
  });

  it('are counted by the /64 of an IPv6 address', async () => {
    const { username } = await portal.as('operator');
    expect(await wrongPasswords(10, (n) => `2001:db8:7:1::${n + 1}`, username)).toEqual(REFUSED_AFTER_EIGHT);
    expect(await statusFrom('2001:db8:7:2::1', username, PASSWORD)).toBe(200);
  });

  it('of one name are limited over all networks together', async () => {
    const { username } = await portal.as('operator');
    const statuses = await wrongPasswords(26, (n) => `203.0.${n}.1`, username);
    expect(statuses).toEqual([...Array.from({ length: 24 }, () => 401), 429, 429]);
    expect(await statusFrom('198.51.100.1', username, PASSWORD)).toBe(429);
  });

  it('of one network cannot use up what a name has over all networks', async () => {
    const { username } = await portal.as('operator');
    await wrongPasswords(40, (n) => `203.0.113.${n}`, username);
    expect(await statusFrom('198.51.100.1', username, PASSWORD)).toBe(200);
  });

  it('of one network are limited over all names together', async () => {
    const { username } = await portal.as('operator');
    const statuses: number[] = [];
    for (let n = 0; n < 61; n += 1) statuses.push(await statusFrom(`192.0.2.${n}`, `name-${n}`, 'wrong'));
    expect([statuses.filter((status) => status === 401).length, statuses.at(-1)]).toEqual([60, 429]);
    expect(await statusFrom('192.0.2.100', username, PASSWORD)).toBe(429);
    expect(await statusFrom('198.51.100.1', username, PASSWORD)).toBe(200);
  });

  it('are counted, right ones are not: an office behind one address signs in', async () => {
    const { username } = await portal.as('operator');
    const statuses = new Set<number>();
    for (let n = 0; n < 70; n += 1) statuses.add(await statusFrom(`192.0.2.${n}`, username, PASSWORD));
    expect([...statuses]).toEqual([200]);
  });

  it('count no more after ten minutes', async () => {
    const { username } = await portal.as('operator');
    await wrongPasswords(9, () => '203.0.113.1', username);
    portal.clock.now = new Date(portal.clock.now.getTime() + 10 * MINUTE_MS);
    expect(await statusFrom('203.0.113.1', username, PASSWORD)).toBe(200);
  });
});

describe('a device from which a user has signed in', { timeout: LIMIT_MS }, () => {
  it('lets its user in while the network is locked for that name', async () => {
    const { username } = await portal.as('operator');
    const device = await deviceOf(username, '203.0.113.1');
    await wrongPasswords(9, () => '203.0.113.1', username);
    expect(await statusFrom('203.0.113.1', username, PASSWORD)).toBe(429);
    expect(await statusFrom('203.0.113.1', username, PASSWORD, device)).toBe(200);
  });

  it('lets its user in during an attack from many networks', async () => {
    const { username } = await portal.as('operator');
    const device = await deviceOf(username, '198.51.100.1');
    await wrongPasswords(25, (n) => `203.0.${n}.1`, username);
    expect(await statusFrom('198.51.100.1', username, PASSWORD)).toBe(429);
    expect(await statusFrom('198.51.100.1', username, PASSWORD, device)).toBe(200);
  });

  it('has a count of its own, wherever it is', async () => {
    const { username } = await portal.as('operator');
    const device = await deviceOf(username, '203.0.113.1');
    const statuses: number[] = [];
    for (let n = 0; n < 10; n += 1) statuses.push(await statusFrom(`203.0.${n}.1`, username, 'wrong', device));
    expect(statuses).toEqual(REFUSED_AFTER_EIGHT);
    expect(await statusFrom('198.51.100.1', username, PASSWORD, device)).toBe(429);
    expect(await statusFrom('198.51.100.1', username, PASSWORD)).toBe(200);
  });

  it('is known for its own user alone', async () => {
    const [{ username }, other] = [await portal.as('operator'), await portal.as('operator')];
    const device = await deviceOf(username, '198.51.100.1');
    await wrongPasswords(9, () => '203.0.113.1', other.username);
    expect(await statusFrom('203.0.113.1', other.username, PASSWORD, device)).toBe(429);
  });

  it('is known for each user who has signed in from it', async () => {
    const [{ username }, other] = [await portal.as('operator'), await portal.as('operator')];
    const device = await deviceOf(other.username, '198.51.100.1', await deviceOf(username, '198.51.100.1'));
    for (const name of [username, other.username]) await wrongPasswords(9, () => '203.0.113.1', name);
    expect(await statusFrom('203.0.113.1', username, PASSWORD, device)).toBe(200);
    expect(await statusFrom('203.0.113.1', other.username, PASSWORD, device)).toBe(200);
  });

  it('is not known by a token that was not issued', async () => {
    const { username } = await portal.as('operator');
    const chosen = 'x'.repeat(43);
    const reply = await signInFrom('198.51.100.1', username, PASSWORD, chosen);
    expect([reply.status, reply.headers.get('set-cookie')?.includes(chosen)]).toEqual([200, false]);
  });

  it('keeps its token for its user, and gets a new one with another user: one that an attacker put into a browser counts for nothing', async () => {
    const [attacker, victim] = [await portal.as('operator'), await portal.as('operator')];
    const planted = await deviceOf(attacker.username, '203.0.113.1');
    expect(await deviceOf(attacker.username, '203.0.113.1', planted)).toBe(planted);
    const own = await deviceOf(victim.username, '198.51.100.1', planted);
    expect(own).not.toBe(planted);
    await wrongPasswords(9, () => '203.0.113.1', victim.username);
    expect(await statusFrom('203.0.113.1', victim.username, PASSWORD, planted)).toBe(429);
    expect(await statusFrom('203.0.113.1', victim.username, PASSWORD, own)).toBe(200);
  });

  it('is not known any more when the password has been changed', async () => {
    const { username, userId } = await portal.as('operator');
    const device = await deviceOf(username, '198.51.100.1');
    const passwordHash = await hashOfPassword('another password');
    await execute(portal.database, sql`update users set password_hash = ${passwordHash} where id = ${userId}`);
    await wrongPasswords(9, () => '203.0.113.1', username);
    expect(await statusFrom('203.0.113.1', username, 'another password', device)).toBe(429);
  });

  it('has a cookie that scripts cannot read, and of which the hash alone is stored', async () => {
    const { username, userId } = await portal.as('operator');
    const cookie = (await signInFrom('198.51.100.1', username, PASSWORD)).headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(
      /^keepwatch-device=[\w-]{43}; Path=\/api\/auth\/login; Max-Age=34560000; HttpOnly; SameSite=Strict; Secure$/,
    );
    const token = /=([\w-]+)/.exec(cookie)?.[1] ?? '';
    const stored = await row<{ tokenHash: Buffer }>(
      portal.database,
      sql`select token_hash as "tokenHash" from sign_in_devices where user_id = ${userId}`,
    );
    expect(stored?.tokenHash).toEqual(hashOfToken(token));
  });

  it('is one of fifty: a script that signs in without cookies fills no table', async () => {
    const { userId, username } = await portal.as('operator');
    for (let n = 0; n < 52; n += 1) await signInFrom('198.51.100.1', username, PASSWORD);
    const devices = await rows(portal.database, sql`select from sign_in_devices where user_id = ${userId}`);
    expect(devices).toHaveLength(50);
  });
});

describe('a name that does not exist', { timeout: LIMIT_MS }, () => {
  it('is answered as one that does: the same replies, the same refusals after as many attempts', async () => {
    const { username } = await portal.as('operator');
    const repliesFor = async (name: string, network: string) => {
      const replies: unknown[] = [];
      for (let n = 0; n < 10; n += 1) {
        const reply = await signInFrom(`${network}.${n}`, name, 'wrong');
        const { requestId: _, ...body } = await reply.json();
        replies.push([reply.status, body, reply.headers.get('retry-after'), reply.headers.get('set-cookie')]);
      }
      return replies;
    };
    const ofUser = await repliesFor(username, '203.0.113');
    expect(await repliesFor('is-not-there', '203.0.114')).toEqual(ofUser);
  });

  it('takes as much work as one that does', async () => {
    const { username, userId } = await portal.as('operator');
    const passwordHash = await hashOfPassword(PASSWORD);
    await execute(portal.database, sql`update users set password_hash = ${passwordHash} where id = ${userId}`);
    const workFor = async (name: string, network: string) => {
      const before = process.cpuUsage();
      for (let n = 0; n < 8; n += 1) await signInFrom(`${network}.${n}`, name, 'wrong');
      const { user, system } = process.cpuUsage(before);
      return user + system;
    };
    await workFor('to-warm-up', '203.0.112');
    const [ofUser, ofUnknown] = [await workFor(username, '203.0.113'), await workFor('is-not-there', '203.0.114')];
    expect(ofUnknown / ofUser).toBeGreaterThan(0.5);
    expect(ofUnknown / ofUser).toBeLessThan(2);
  });
});

it('counts that are over and devices that are not used any more are deleted, others are not', async () => {
  const { username, userId } = await portal.as('operator');
  await deviceOf(username, '198.51.100.1');
  await wrongPasswords(1, () => '198.51.100.1', 'some-user');
  const stored = async () => [
    (await rows(portal.database, sql`select from sign_in_attempts where key like '%some-user'`)).length,
    (await rows(portal.database, sql`select from sign_in_devices where user_id = ${userId}`)).length,
  ];
  const after = (ms: number) => new Date(portal.clock.now.getTime() + ms);
  await forgetExpired(portal.database, after(9 * MINUTE_MS));
  expect(await stored()).toEqual([2, 1]);
  await forgetExpired(portal.database, after(11 * MINUTE_MS));
  expect(await stored()).toEqual([0, 1]);
  await forgetExpired(portal.database, after(399 * DAY_MS));
  expect(await stored()).toEqual([0, 1]);
  await forgetExpired(portal.database, after(401 * DAY_MS));
  expect(await stored()).toEqual([0, 0]);
});

import { readFile } from 'node:fs/promises';
import {
  checkSetupLink,
  createFirstAccount,
  editProfile,
  getProfile,
  sessionOf,
  signIn,
  signOut,
} from '@keepwatch/contract/identity/sessions';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, row, rows } from '../foundation/database.ts';
import { hashOfPassword } from '../foundation/secrets.ts';
import { PASSWORD, startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import { newSetupToken } from './first-account.ts';
import { forgetExpired } from './identity.jobs.ts';
import { SESSION_MS } from './sessions.ts';

let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

describe('POST auth/login/db', () => {
  it('200: lets a user in, says who it is, and never shows the hash', async () => {
    const { username, userId } = await portal.as('operator');
    const reply = sessionOf(
      await portal.anonymous.call(signIn, { body: { username: username.toUpperCase(), password: PASSWORD } }),
    );
    expect(reply.user).toMatchObject({
      id: userId,
      acl: [{ role: 'operator' }],
      serviceProviderId: 1,
      companyIds: null,
    });
    expect(JSON.stringify(reply)).not.toContain('argon2');
  });

  it('401: takes no other letter for one of a name', async () => {
    const { userId } = await portal.as('operator');
    await execute(portal.database, sql`update users set username = 'mike-alike' where id = ${userId}`);
    const body = { username: 'm\u0130ke-al\u0130ke', password: PASSWORD };
    expect((await portal.anonymous.send(signIn, { body })).status).toBe(401);
  });

  it('401: answers a wrong password and an unknown name in the same words', async () => {
    const { username } = await portal.as('operator');
    const wrong = await portal.anonymous.send(signIn, { body: { username, password: 'wrong' } });
    const unknown = await portal.anonymous.send(signIn, {
      body: { username: "unknown' or 1=1 --", password: PASSWORD },
    });
    expect([wrong.status, unknown.status]).toEqual([401, 401]);
    expect((await wrong.json()).message).toBe((await unknown.json()).message);
  });

  it('429: makes a name wait after eight wrong passwords, and lets it in again after ten minutes', async () => {
    const { username } = await portal.as('operator');
    for (let tries = 0; tries < 8; tries += 1)
      await portal.anonymous.send(signIn, { body: { username, password: 'wrong' } });
    const refused = await portal.anonymous.send(signIn, { body: { username, password: PASSWORD } });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(500);
    portal.clock.now = new Date(TEST_NOW.getTime() + 11 * 60_000);
    expect((await portal.anonymous.send(signIn, { body: { username, password: PASSWORD } })).status).toBe(200);
    portal.clock.now = TEST_NOW;
  });

  it('429: counts thirty guesses that are sent at once', async () => {
    const { username } = await portal.as('operator');
    const guesses = Array.from({ length: 30 }, () =>
      portal.anonymous.send(signIn, { body: { username, password: 'wrong' } }),
    );
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(8);
  });

  it('422: refuses fields that it does not know', async () => {
    const response = await portal.anonymous.raw('POST', '/api/auth/login/db', {
      body: '{"username":"a","password":"b","admin":true}',
    });
    expect(response.status).toBe(422);
  });

  it('records who signed in and who was refused', async () => {
    const { username } = await portal.as('operator');
    await portal.anonymous.call(signIn, { body: { username, password: PASSWORD } });
    await portal.anonymous.send(signIn, { body: { username, password: 'wrong' } });
    const actions = await rows<{ action: string }>(
      portal.database,
      sql`select action from audit_entries where username = ${username} order by action`,
    );
    expect(actions.map(({ action }) => action)).toEqual(['session.refused', 'session.sign-in']);
  });
});

describe('a session', () => {
  it('ends at once when it is signed out', async () => {
    const user = await portal.as('operator');
    await user.call(signOut, {});
    const response = await user.send(getProfile, { params: { id: user.userId } });
    expect(response.status).toBe(401);
    expect((await response.json()).message).toContain('expired');
  });

  it('ends at once, everywhere, when its user is disabled', async () => {
    const user = await portal.as('operator');
    await execute(portal.database, sql`update users set disabled_at = now() where id = ${user.userId}`);
    expect((await user.send(getProfile, { params: { id: user.userId } })).status).toBe(401);
  });

  it('expires after twelve hours without use, and lives on while it is used', async () => {
    const user = await portal.as('operator');
    const ask = async (afterMs: number) => {
      portal.clock.now = new Date(TEST_NOW.getTime() + afterMs);
      return (await user.send(getProfile, { params: { id: user.userId } })).status;
    };
    expect(await ask(SESSION_MS - 60_000)).toBe(200);
    expect(await ask(2 * SESSION_MS - 120_000)).toBe(200);
    expect(await ask(4 * SESSION_MS)).toBe(401);
    portal.clock.now = TEST_NOW;
  });

  it('ends seven days after it was opened, however often it is used', async () => {
    const user = await portal.as('operator');
    const statuses: number[] = [];
    for (let hours = 6; hours <= 7 * 24; hours += 6) {
      portal.clock.now = new Date(TEST_NOW.getTime() + hours * 3_600_000 - 600_000);
      statuses.push((await user.send(getProfile, { params: { id: user.userId } })).status);
    }
    expect(new Set(statuses)).toEqual(new Set([200]));
    portal.clock.now = new Date(TEST_NOW.getTime() + 7 * 24 * 3_600_000);
    const ended = await user.send(getProfile, { params: { id: user.userId } });
    expect([ended.status, (await ended.json()).message]).toEqual([401, expect.stringContaining('expired')]);
    portal.clock.now = TEST_NOW;
  });

  it('is not written at every request of its last hours', async () => {
    const user = await portal.as('operator');
    const stored = () =>
      row<{ version: string }>(
        portal.database,
        sql`select xmin::text as version from sessions where user_id = ${user.userId}`,
      );
    const use = async (afterMs: number) => {
      portal.clock.now = new Date(TEST_NOW.getTime() + afterMs);
      await user.call(getProfile, { params: { id: user.userId } });
    };
    const dayMs = 24 * 3_600_000;
    await execute(
      portal.database,
      sql`update sessions set expires_at = created_at + interval '6 days 12 hours' where user_id = ${user.userId}`,
    );
    await use(6.4 * dayMs);
    await use(6.6 * dayMs);
    const before = await stored();
    for (const minutes of [1, 3, 5]) await use(6.6 * dayMs + minutes * 60_000);
    expect(await stored()).toEqual(before);
    // When it was last used is shown to its user.
    await use(6.6 * dayMs + 6 * 60_000);
    expect(await stored()).not.toEqual(before);
    portal.clock.now = TEST_NOW;
  });

  it('ends at once, everywhere, when the password of its user is changed', async () => {
    const user = await portal.as('operator');
    await execute(portal.database, sql`update users set password_hash = 'another' where id = ${user.userId}`);
    expect((await user.send(getProfile, { params: { id: user.userId } })).status).toBe(401);
  });

  it('does not come back when a disabled user is enabled again', async () => {
    const user = await portal.as('operator');
    await execute(portal.database, sql`update users set disabled_at = now() where id = ${user.userId}`);
    await execute(portal.database, sql`update users set disabled_at = null where id = ${user.userId}`);
    expect((await user.send(getProfile, { params: { id: user.userId } })).status).toBe(401);
  });

  it('is stored only as a hash', async () => {
    const user = await portal.as('operator');
    const stored = await row<{ found: boolean }>(
      portal.database,
      sql`select exists (select from sessions where encode(token_hash, 'escape') like ${`%${user.token}%`}) as found`,
    );
    expect(stored?.found).toBe(false);
  });
});

describe('what is of no use any more', () => {
  it('is deleted: expired sessions and attempts that no longer count, nothing else', async () => {
    const user = await portal.as('operator');
    await portal.anonymous.send(signIn, { body: { username: 'unknown-user', password: 'wrong' } });
    await forgetExpired(portal.database, new Date(TEST_NOW.getTime() + SESSION_MS - 1_000));
    expect((await user.send(getProfile, { params: { id: user.userId } })).status).toBe(200);
    expect(await rows(portal.database, sql`select from sign_in_attempts where key like '%unknown-user'`)).toHaveLength(
      0,
    );
    await forgetExpired(portal.database, new Date(TEST_NOW.getTime() + 20 * SESSION_MS));
    expect(await rows(portal.database, sql`select from sessions`)).toHaveLength(0);
  });
});

describe('profile/{id}', () => {
  it('200: keeps theme and filters, what is not given stays', async () => {
    const user = await portal.as('operator');
    await user.call(editProfile, { params: { id: user.userId }, body: { theme: { mode: 'dark' } } });
    await user.call(editProfile, { params: { id: user.userId }, body: { theme: { sidebarMini: true } } });
    const { data } = await user.call(getProfile, { params: { id: user.userId } });
    expect(data.theme).toEqual({ mode: 'dark', sidebarMini: true, sidebarColor: 'blue' });
  });

  it('records before and after of what was chosen, and of nothing else', async () => {
    const user = await portal.as('operator');
    await user.call(editProfile, { params: { id: user.userId }, body: { theme: { mode: 'dark' } } });
    const entry = await row<{ before: unknown; after: unknown }>(
      portal.database,
      sql`select before, after from audit_entries where user_id = ${user.userId} and action = 'profile.edit'`,
    );
    expect(entry).toEqual({
      before: { theme: { mode: 'auto' } },
      after: { theme: { mode: 'dark' } },
    });
  });

  it('200: stores preferences of this user alone, and gives them with the profile and at sign-in', async () => {
    const [user, other] = [await portal.as('operator'), await portal.as('admin')];
    const preferences = { 'daily-checks.filters': { state: ['all'], source: ['office365'] } };
    const edited = await user.call(editProfile, { params: { id: user.userId }, body: { preferences } });
    expect(edited.data.preferences).toEqual(preferences);
    await user.call(editProfile, { params: { id: user.userId }, body: { theme: { mode: 'dark' } } });
    expect((await user.call(getProfile, { params: { id: user.userId } })).data.preferences).toEqual(preferences);
    expect((await other.call(getProfile, { params: { id: other.userId } })).data.preferences).toEqual({});
  });

  it('has what users chose before preferences were a table', async () => {
    const user = await portal.as('operator');
    const filters = {
      companyIds: [user.userId],
      sourceFilter: [],
      filterType: ['Failed'],
      ignoredFilter: false,
      anomalyFilter: false,
      dateFilter: 'Last 2 Days',
      managedFilter: true,
      stateFilter: 'all',
    };
    const file = new URL('../../migrations/0015_preferences.sql', import.meta.url);
    const statements = (await readFile(file, 'utf8')).split('--> statement-breakpoint');
    await execute(portal.database, sql`alter table users add column filters jsonb`);
    await execute(
      portal.database,
      sql`update users set filters = ${JSON.stringify(filters)} where id = ${user.userId}`,
    );
    for (const statement of statements.slice(1)) await execute(portal.database, sql.raw(statement));
    const { data } = await user.call(getProfile, { params: { id: user.userId } });
    expect(data.preferences['daily-checks.filters']).toEqual({
      company: [user.userId],
      result: ['Failed'],
      state: ['all'],
      anomaly: ['false'],
      managed: ['yes'],
    });
  });

  it.each([
    ['an unknown key', { 'daily-checks.colours': { a: ['b'] } }],
    ['a value of another form', { 'daily-checks.filters': ['state'] }],
    ['a text that is too long', { 'daily-checks.filters': { state: ['x'.repeat(101)] } }],
    [
      'too many filters',
      { 'daily-checks.filters': Object.fromEntries(Array.from({ length: 41 }, (_, n) => [`f${n}`, ['x']])) },
    ],
  ])('refuses preferences with %s, and stores nothing', async (_, preferences) => {
    const user = await portal.as('operator');
    const body = { preferences } as Record<string, unknown>;
    expect((await user.send(editProfile, { params: { id: user.userId }, body })).status).toBe(422);
    expect((await user.call(getProfile, { params: { id: user.userId } })).data.preferences).toEqual({});
  });

  it('200: follows the colours of the system until the user has chosen', async () => {
    const user = await portal.as('operator');
    expect((await user.call(getProfile, { params: { id: user.userId } })).data.theme.mode).toBe('auto');
  });

  it("404: another user's profile is as good as none", async () => {
    const [one, other] = [await portal.as('operator'), await portal.as('admin')];
    expect((await one.send(getProfile, { params: { id: other.userId } })).status).toBe(404);
    expect((await one.send(editProfile, { params: { id: other.userId }, body: {} })).status).toBe(404);
  });
});

describe('the first account of an installation', () => {
  const account = { username: 'first', name: 'First', email: 'first@example.test', password: 'long enough to count' };

  it('404: cannot be created with a link that was never printed, which costs no hash: strangers would take all turns', async () => {
    const hashing = { isOver: false };
    const hashed = Promise.all(Array.from({ length: 12 }, () => hashOfPassword('a long password'))).then(() => {
      hashing.isOver = true;
    });
    const refused = await portal.anonymous.send(createFirstAccount, { params: { token: 'guess' }, body: account });
    expect([refused.status, hashing.isOver]).toEqual([404, false]);
    await hashed;
  });

  it('422: has a name of plain letters, as every other', async () => {
    const body = { ...account, username: 'f\u0456rst' };
    const refused = await portal.anonymous.send(createFirstAccount, { params: { token: 'guess' }, body });
    expect(refused.status).toBe(422);
  });

  it('gets no link once a user can sign in', async () => {
    await portal.as('operator');
    expect(await newSetupToken(portal.database)).toBeNull();
  });

  it('200 then 404: is created once, administers, and spends its link', async () => {
    await execute(portal.database, sql`delete from users`);
    const token = (await newSetupToken(portal.database)) ?? '';
    const check = async () => (await portal.anonymous.send(checkSetupLink, { params: { token } })).status;
    expect(await check()).toBe(200);
    await portal.anonymous.call(createFirstAccount, { params: { token }, body: account });
    expect(
      (await portal.anonymous.send(createFirstAccount, { params: { token }, body: { ...account, username: 'second' } }))
        .status,
    ).toBe(404);
    expect(await check()).toBe(404);
    const body = { username: 'first', password: account.password };
    const { user } = sessionOf(await portal.anonymous.call(signIn, { body }));
    expect(user.acl.map(({ role }) => role)).toContain('super-admin');
  });
});

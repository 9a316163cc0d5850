import { removeAuthenticator } from '@keepwatch/contract/identity/second-factors';
import { getProfile, signIn, signInWithCode } from '@keepwatch/contract/identity/sessions';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, rows } from '../../foundation/database.ts';
import { refusal } from '../../testing/refusal.ts';
import { type Caller, PASSWORD, startTestPortal, TEST_NOW, type TestPortal } from '../../testing/test-portal.ts';
import { forgetExpired } from '../identity.jobs.ts';
import { addAuthenticator, codeAt, signInTo } from './testing/authenticator-app.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal(undefined, { trustedProxies: 1 });
});
beforeEach(() => {
  portal.clock.now = TEST_NOW;
});
afterAll(() => portal.stop());

/** The time at which a code of an app that was added at the start counts for the first time. */
const pass = (ms: number) => {
  portal.clock.now = new Date(portal.clock.now.getTime() + ms);
};

/** A user with an authenticator app, half a minute after it was added. */
async function protectedUser() {
  const person = await portal.as('operator');
  const app = await addAuthenticator(person, portal.clock.now);
  pass(30_000);
  return { person, ...app, code: () => codeAt(app.key, portal.clock.now) };
}

async function challengeOf(person: Caller): Promise<string> {
  const reply = await signInTo(portal, person);
  if (!('secondFactor' in reply)) throw new Error('No second factor was asked for.');
  return reply.secondFactor.challenge;
}

const send = (challenge: string, code: string, rememberComputer = false) =>
  portal.anonymous.send(signInWithCode, { body: { challenge, code, rememberComputer } });

const actionsOf = async ({ username }: Caller) => {
  const entries = await rows<{ action: string }>(
    portal.database,
    sql`select action from audit_entries where username = ${username} and action like 'session.%' order by at, action`,
  );
  return entries.map(({ action }) => action);
};

describe('POST auth/login/db of a user with a second factor', () => {
  it('answers a challenge and no token; a code of the app then signs in', async () => {
    const { person, code } = await protectedUser();
    const reply = await signInTo(portal, person);
    expect(reply).toEqual({
      success: true,
      secondFactor: {
        challenge: expect.any(String),
        kinds: ['authenticator', 'recovery-code'],
        passkey: null,
        sms: null,
      },
    });
    const signedIn = await (await send(await challengeOf(person), ` ${code().slice(0, 3)} ${code().slice(3)}`)).json();
    expect(signedIn).toMatchObject({ success: true, userId: person.userId, user: { secondFactorNeeded: false } });
    const headers = { authorization: `Bearer ${signedIn.token}` };
    expect((await portal.anonymous.raw('GET', `/api/profile/${person.userId}`, { headers })).status).toBe(200);
    expect(await actionsOf(person)).toEqual(['session.sign-in']);
  });

  it('opens nothing alone: a challenge is no session, and is stored as a hash', async () => {
    const { person } = await protectedUser();
    const challenge = await challengeOf(person);
    const headers = { authorization: `Bearer ${challenge}` };
    expect((await portal.anonymous.raw('GET', `/api/profile/${person.userId}`, { headers })).status).toBe(401);
    const stored = await rows(
      portal.database,
      sql`select from sign_in_challenges where encode(token_hash, 'escape') like ${`%${challenge}%`}`,
    );
    expect(stored).toEqual([]);
  });

  it('says of a wrong password what it says without a second factor', async () => {
    const [{ person }, plain] = [await protectedUser(), await portal.as('operator')];
    const replies = await Promise.all(
      [person, plain].map(({ username }) =>
        refusal(portal.anonymous.send(signIn, { body: { username, password: 'x' } })),
      ),
    );
    const [one, other] = replies.map(({ status, code, message }) => ({ status, code, message }));
    expect(one).toEqual(other);
  });
});

describe('POST auth/login/second-factor/code', () => {
  it('401: counts a code once, also for two who send it at once', async () => {
    const { person, code } = await protectedUser();
    const challenges = [await challengeOf(person), await challengeOf(person)];
    const both = await Promise.all(challenges.map((challenge) => send(challenge, code())));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
    const replayed = await refusal(send(await challengeOf(person), code()));
    expect(replayed).toMatchObject({ status: 401, code: 'WRONG_CODE' });
    pass(30_000);
    expect((await send(await challengeOf(person), code())).status).toBe(200);
  });

  it('401: does not count the code that confirmed the app', async () => {
    const person = await portal.as('operator');
    const { key } = await addAuthenticator(person, TEST_NOW);
    expect((await send(await challengeOf(person), codeAt(key, TEST_NOW))).status).toBe(401);
  });

  it('401: counts a challenge once, for five minutes, of its own provider, and for its own user', async () => {
    const [{ person, code }, other] = [await protectedUser(), await protectedUser()];
    const challenge = await challengeOf(person);
    expect((await send(challenge, other.code())).status).toBe(401);
    const elsewhere = portal.anonymous.raw('POST', '/api/auth/login/second-factor/code', {
      body: JSON.stringify({ challenge, code: code() }),
      headers: { 'content-type': 'application/json', 'x-forwarded-host': 'other.localhost' },
    });
    expect(await refusal(elsewhere)).toMatchObject({ status: 401, code: 'SIGN_IN_AGAIN' });
    const second = await challengeOf(person);
    expect((await send(second, code())).status).toBe(200);
    pass(30_000);
    expect(await refusal(send(second, code()))).toMatchObject({ status: 401, code: 'SIGN_IN_AGAIN' });
    const late = await challengeOf(person);
    pass(6 * MINUTE_MS);
    expect(await refusal(send(late, code()))).toMatchObject({ status: 401, code: 'SIGN_IN_AGAIN' });
    expect(await refusal(send(`${late}x`, code()))).toMatchObject({ status: 401, code: 'SIGN_IN_AGAIN' });
  });

  it.each([
    ['whose password was changed', sql`password_hash = 'another'`],
    ['who was disabled', sql`disabled_at = now()`],
  ])('401: does not count a challenge of a user %s meanwhile', async (_, changes) => {
    const { person, code } = await protectedUser();
    const challenge = await challengeOf(person);
    await execute(portal.database, sql`update users set ${changes} where id = ${person.userId}`);
    expect(await refusal(send(challenge, code()))).toMatchObject({ status: 401, code: 'SIGN_IN_AGAIN' });
  });

  it('429: slows guessing down; the right password does not begin the count again', async () => {
    const { person, code } = await protectedUser();
    const statuses: number[] = [];
    for (let guess = 0; guess < 9; guess += 1)
      statuses.push((await send(await challengeOf(person), `00000${guess}`)).status);
    expect(statuses).toEqual([...Array(8).fill(401), 429]);
    const refused = await refusal(send(await challengeOf(person), code()));
    expect(refused).toMatchObject({ status: 429, message: expect.stringContaining('Too many wrong codes') });
    pass(11 * MINUTE_MS);
    expect((await send(await challengeOf(person), code())).status).toBe(200);
    expect((await actionsOf(person)).filter((action) => action === 'session.refused-code')).toHaveLength(10);
  });

  it('counts each recovery code once, as it is typed, and records that it was used', async () => {
    const { person, recoveryCodes } = await protectedUser();
    const typed = (recoveryCodes[0] ?? '').toLowerCase().replaceAll('-', ' ');
    expect((await send(await challengeOf(person), typed)).status).toBe(200);
    expect((await send(await challengeOf(person), typed)).status).toBe(401);
    const other = await protectedUser();
    expect((await send(await challengeOf(other.person), recoveryCodes[1] ?? '')).status).toBe(401);
    expect(await actionsOf(person)).toEqual(['session.recovery-code', 'session.refused-code', 'session.sign-in']);
  });
});

describe('a computer that is remembered', () => {
  async function remember(person: Caller, code: string): Promise<string> {
    const signedIn = await send(await challengeOf(person), code, true);
    expect(signedIn.status).toBe(200);
    return (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  }

  async function isAsked({ username }: Caller, cookie: string): Promise<boolean> {
    const body = JSON.stringify({ username, password: PASSWORD });
    const headers = { 'content-type': 'application/json', cookie };
    return (
      'secondFactor' in (await (await portal.anonymous.raw('POST', '/api/auth/login/db', { body, headers })).json())
    );
  }

  it('asks for no second factor for 30 days, and is of one user alone', async () => {
    const [{ person, code }, other] = [await protectedUser(), await protectedUser()];
    const cookie = await remember(person, code());
    expect([await isAsked(person, cookie), await isAsked(other.person, cookie)]).toEqual([false, true]);
    pass(30 * DAY_MS - MINUTE_MS);
    expect(await isAsked(person, cookie)).toBe(false);
    pass(2 * MINUTE_MS);
    expect(await isAsked(person, cookie)).toBe(true);
  });

  it('is not remembered unless the user wants that, and is forgotten with the second factor and the password', async () => {
    const { person, code } = await protectedUser();
    const plain = await send(await challengeOf(person), code());
    expect(await isAsked(person, (plain.headers.get('set-cookie') ?? '').split(';')[0] ?? '')).toBe(true);
    pass(30_000);
    const cookie = await remember(person, code());
    await person.call(removeAuthenticator, { params: { id: person.userId }, body: { password: PASSWORD } });
    pass(30_000);
    await addAuthenticator(person, portal.clock.now);
    expect(await isAsked(person, cookie)).toBe(true);
  });
});

it('forgets challenges that are over', async () => {
  const { person } = await protectedUser();
  await challengeOf(person);
  await person.call(getProfile, { params: { id: person.userId } });
  await forgetExpired(portal.database, new Date(portal.clock.now.getTime() + 6 * MINUTE_MS));
  const left = await rows(portal.database, sql`select from sign_in_challenges where user_id = ${person.userId}`);
  expect(left).toEqual([]);
});

import { createApiKey } from '@keepwatch/contract/identity/api-keys';
import { changeOwnPassword } from '@keepwatch/contract/identity/passwords';
import {
  beginAuthenticator,
  confirmAuthenticator,
  removeAuthenticator,
  renewRecoveryCodes,
} from '@keepwatch/contract/identity/second-factors';
import { editProfile, signIn } from '@keepwatch/contract/identity/sessions';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, row, rows } from '../foundation/database.ts';
import { refusal } from '../testing/refusal.ts';
import { type Caller, PASSWORD, startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import { untilOneWaits } from '../testing/until-one-waits.ts';
import { addAuthenticator, codeAt } from './second-factors/testing/authenticator-app.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

const isWaiting = sql`select count(*) as count from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like '%from authenticators%'`;

/** Signs in, and does something after the password was found right and before anything is opened with it. */
async function signInDuring({ username }: Caller, work: () => Promise<unknown>) {
  const holding = await portal.database.connect();
  await holding.query('begin');
  // It is looked at for the first time once the password was right.
  await holding.query('lock table authenticators in access exclusive mode');
  const reply = portal.anonymous.send(signIn, { body: { username, password: PASSWORD } });
  await expect.poll(() => row(portal.database, isWaiting)).toEqual({ count: 1 });
  await work();
  await holding.query('commit');
  holding.release();
  return refusal(reply);
}

const CHANGES: readonly [string, (person: Caller) => Promise<unknown>][] = [
  [
    'whose password is changed',
    ({ userId }) => execute(portal.database, sql`update users set password_hash = 'new' where id = ${userId}`),
  ],
  [
    'who is disabled',
    ({ userId }) => execute(portal.database, sql`update users set disabled_at = now() where id = ${userId}`),
  ],
];

describe.each(CHANGES)('a sign-in of a user %s meanwhile', (_, change) => {
  it('opens no session, which would outlive that', async () => {
    const person = await portal.as('operator');
    const refused = await signInDuring(person, () => change(person));
    expect(refused).toMatchObject({ status: 401, code: 'SIGN_IN_AGAIN' });
    expect(await rows(portal.database, sql`select from sessions where user_id = ${person.userId}`)).toEqual([]);
  });

  it('is asked for no second factor either', async () => {
    const person = await portal.as('operator');
    await addAuthenticator(person, TEST_NOW);
    const refused = await signInDuring(person, () => change(person));
    expect(refused).toMatchObject({ status: 401, code: 'SIGN_IN_AGAIN' });
    const challenges = sql`select from sign_in_challenges where user_id = ${person.userId}`;
    expect(await rows(portal.database, challenges)).toEqual([]);
  });
});

it('a sign-in without a second factor opens no session once one was added meanwhile', async () => {
  const person = await portal.as('operator');
  const adding = await portal.database.connect();
  await adding.query('begin');
  await adding.query('select from users where id = $1 for no key update', [person.userId]);
  const reply = portal.anonymous.send(signIn, { body: { username: person.username, password: PASSWORD } });
  await untilOneWaits(portal.database);
  await adding.query(
    `insert into authenticators (provider_id, user_id, secret, created_at, confirmed_at)
       select provider_id, id, '', now(), now() from users where id = $1`,
    [person.userId],
  );
  await adding.query('commit');
  adding.release();
  expect(await refusal(reply)).toMatchObject({ status: 401, code: 'SIGN_IN_AGAIN' });
  expect(await rows(portal.database, sql`select from sessions where user_id = ${person.userId}`)).toHaveLength(1);
});

/** What leaves a way in, or takes one, and what it needs first. */
const OWN: readonly [string, (person: Caller) => Promise<() => Promise<Response>>][] = [
  [
    'password',
    async (person) => () => person.send(changeOwnPassword, own(person, { newPassword: 'the password of a thief' })),
  ],
  ['e-mail address', async (person) => () => person.send(editProfile, own(person, { email: 'thief@elsewhere.test' }))],
  [
    'API keys',
    async (person) => () =>
      person.send(createApiKey, own(person, { name: 'Thief', abilities: ['monitoring.companies-filter'], days: 300 })),
  ],
  [
    'authenticator app',
    async (person) => {
      const { data } = await person.call(beginAuthenticator, own(person, {}));
      const body = { code: codeAt(data.key, TEST_NOW) };
      return () => person.send(confirmAuthenticator, { params: { id: person.userId }, body });
    },
  ],
  [
    'recovery codes',
    async (person) => {
      await addAuthenticator(person, TEST_NOW);
      return () => person.send(renewRecoveryCodes, own(person, {}));
    },
  ],
  [
    'second factors',
    async (person) => {
      await addAuthenticator(person, TEST_NOW);
      return () => person.send(removeAuthenticator, own(person, {}));
    },
  ],
];

function own<B extends object>({ userId }: Caller, body: B) {
  return { params: { id: userId }, body: { password: PASSWORD, ...body } };
}

/** What is answered to a call while the password is set by another person, whose transaction is committed once the call waits for it. */
async function sendDuring({ userId }: Caller, send: () => Promise<Response>) {
  const setting = await portal.database.connect();
  await setting.query('begin');
  await setting.query(`update users set password_hash = 'set by an administrator' where id = $1`, [userId]);
  const reply = send();
  await untilOneWaits(portal.database);
  await setting.query('commit');
  setting.release();
  return refusal(reply);
}

describe('a session whose password is set by another person meanwhile', () => {
  it.each(OWN)('does not change the %s: the earlier password was proved', async (_, prepare) => {
    const person = await portal.as('operator');
    const send = await prepare(person);
    expect(await sendDuring(person, send)).toMatchObject({ status: 401, code: 'NOT_SIGNED_IN' });
    const stored = await row(
      portal.database,
      sql`select password_hash as hash, email from users where id = ${person.userId}`,
    );
    expect(stored).toEqual({ hash: 'set by an administrator', email: `${person.username}@example.test` });
    expect(await rows(portal.database, sql`select from api_keys where user_id = ${person.userId}`)).toEqual([]);
  });
});

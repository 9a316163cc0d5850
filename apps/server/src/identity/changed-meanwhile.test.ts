import { signIn } from '@keepwatch/contract/identity/sessions';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, row, rows } from '../foundation/database.ts';
import { refusal } from '../testing/refusal.ts';
import { type Caller, PASSWORD, startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import { addAuthenticator } from './second-factors/testing/authenticator-app.ts';

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

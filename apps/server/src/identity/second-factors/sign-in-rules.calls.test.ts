import { getAttention } from '@keepwatch/contract/attention/attention';
import { listReportingCompanies } from '@keepwatch/contract/directory/companies';
import { signOn } from '@keepwatch/contract/directory/console-accounts';
import { createApiKey } from '@keepwatch/contract/identity/api-keys';
import { changeOwnPassword } from '@keepwatch/contract/identity/passwords';
import { getSecondFactors, removeAuthenticator } from '@keepwatch/contract/identity/second-factors';
import { getProfile, sessionOf } from '@keepwatch/contract/identity/sessions';
import { editSignInRules, getSignInRules } from '@keepwatch/contract/identity/sign-in-rules';
import { listNotifications } from '@keepwatch/contract/notifications/notifications';
import { getLastSync } from '@keepwatch/contract/sources/sources';
import { requestSupport } from '@keepwatch/contract/support/support';
import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, rows } from '../../foundation/database.ts';
import { buildCompany } from '../../testing/builders.ts';
import { refusal } from '../../testing/refusal.ts';
import { type Caller, PASSWORD, startTestPortal, TEST_NOW, type TestPortal } from '../../testing/test-portal.ts';
import { addAuthenticator, signInTo } from './testing/authenticator-app.ts';

let portal: TestPortal;
let admin: Caller;
beforeAll(async () => {
  portal = await startTestPortal();
});
beforeEach(async () => {
  admin = await portal.as('super-admin');
});
afterEach(() => execute(portal.database, sql`delete from sign_in_rules`));
afterAll(() => portal.stop());

const require = (requiresSecondFactor: boolean) => admin.call(editSignInRules, { body: { requiresSecondFactor } });

/** Whether calls that need an ability are made with the session. */
const statusOf = async (person: Caller) => (await person.send(listReportingCompanies, { query: {} })).status;

/** Signs the person in with the password alone. */
async function signedIn(person: Caller) {
  const session = sessionOf(await signInTo(portal, person));
  person.token = session.token;
  return session.user;
}

describe('a provider', () => {
  it('requires a second factor once that is chosen, which is in the users logs', async () => {
    expect((await admin.call(getSignInRules, {})).data).toEqual({ requiresSecondFactor: false });
    expect((await require(true)).data).toEqual({ requiresSecondFactor: true });
    await require(true);
    expect((await admin.call(getSignInRules, {})).data).toEqual({ requiresSecondFactor: true });
    const entries = await rows(
      portal.database,
      sql`select before, after from audit_entries where action = 'sign-in-rules.edit' and user_id = ${admin.userId}`,
    );
    expect(entries).toEqual([{ before: { requiresSecondFactor: false }, after: { requiresSecondFactor: true } }]);
  });

  it('403: is not changed by who is limited to companies, and by who has no such ability', async () => {
    const companyId = await buildCompany(portal.database);
    const limited = await portal.as('super-admin', { companyIds: [companyId] });
    const body = { requiresSecondFactor: true };
    const replies = [
      await limited.send(editSignInRules, { body }),
      await limited.send(getSignInRules, {}),
      await (await portal.as('admin')).send(editSignInRules, { body }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([403, 403, 403]);
  });
});

describe('a user of a provider that requires a second factor', () => {
  it('adds one after the password and before anything else', async () => {
    await require(true);
    const person = await portal.as('admin');
    const user = await signedIn(person);
    expect(user.secondFactorNeeded).toBe(true);
    const refused = await refusal(person.send(listReportingCompanies, { query: {} }));
    expect(refused).toMatchObject({ status: 403, code: 'SECOND_FACTOR_REQUIRED' });
    await addAuthenticator(person, TEST_NOW);
    expect(await statusOf(person)).toBe(200);
    const profile = await person.call(getProfile, { params: { id: person.userId } });
    expect(profile.data.secondFactorNeeded).toBe(false);
  });

  it('opens no other session by that: one that knew the password alone ends, an open one goes on', async () => {
    const person = await portal.as('admin');
    const open = { ...person };
    await require(true);
    const thief = portal.callerOf({ ...person, token: sessionOf(await signInTo(portal, person)).token });
    await signedIn(person);
    await addAuthenticator(person, TEST_NOW);
    expect([await statusOf(person), await statusOf(portal.callerOf(open)), await statusOf(thief)]).toEqual([
      200, 200, 401,
    ]);
  });

  it.each([
    ['banners', (person: Caller) => person.send(listNotifications, { body: { userId: person.userId } })],
    ['the last sync', (person: Caller) => person.send(getLastSync, {})],
    ['what needs attention', (person: Caller) => person.send(getAttention, {})],
    ['a console', (person: Caller) => person.send(signOn, { params: { provider: 'zerto' } })],
    ['the support', (person: Caller) => person.send(requestSupport, { body: { subject: 'Help', message: 'Help' } })],
  ])('reaches nothing beside the own account before that: not %s', async (_, send) => {
    await require(true);
    const person = await portal.as('admin');
    await signedIn(person);
    expect(await refusal(send(person))).toMatchObject({ status: 403, code: 'SECOND_FACTOR_REQUIRED' });
    expect((await person.send(getSecondFactors, { params: { id: person.userId } })).status).toBe(200);
  });

  it('does not come around that with a new password', async () => {
    await require(true);
    const person = await portal.as('admin');
    await signedIn(person);
    const body = { password: PASSWORD, newPassword: 'another long password' };
    const { data } = await person.call(changeOwnPassword, { params: { id: person.userId }, body });
    person.token = data.token;
    expect(await statusOf(person)).toBe(403);
  });

  it('409: keeps the last one', async () => {
    const person = await portal.as('admin');
    await addAuthenticator(person, TEST_NOW);
    await require(true);
    const removal = { params: { id: person.userId }, body: { password: PASSWORD } };
    const refused = await refusal(person.send(removeAuthenticator, removal));
    expect(refused).toMatchObject({ status: 409, message: expect.stringContaining('requires a second factor') });
    await require(false);
    await person.call(removeAuthenticator, removal);
  });

  it('of another provider is asked for none, nor is one who has a session', async () => {
    const [before, other] = [await portal.as('admin'), await portal.as('admin', { providerId: 2 })];
    await require(true);
    expect([await statusOf(before), await statusOf(other)]).toEqual([200, 200]);
  });

  it('is not gone around by API keys: none is made meanwhile, and one from before waits as well', async () => {
    const person = await portal.as('operator');
    const params = { id: person.userId };
    const key = { password: PASSWORD, name: 'Reports', abilities: ['monitoring.companies-filter' as const], days: 1 };
    const { token } = await person.call(createApiKey, { params, body: key });
    const program = portal.callerOf({ ...person, token });
    expect(await statusOf(program)).toBe(200);
    await require(true);
    const asked = { status: 403, code: 'SECOND_FACTOR_REQUIRED' };
    expect(await refusal(program.send(listReportingCompanies, { query: {} }))).toMatchObject(asked);
    await signedIn(person);
    const second = person.send(createApiKey, { params, body: { ...key, name: 'Second' } });
    expect(await refusal(second)).toMatchObject(asked);
    await require(false);
    expect([await statusOf(person), await statusOf(program)]).toEqual([200, 200]);
  });

  it('counts from the next sign-in: an open session goes on, also with a new password', async () => {
    const person = await portal.as('operator');
    await require(true);
    const body = { password: PASSWORD, newPassword: 'another long password' };
    const { data } = await person.call(changeOwnPassword, { params: { id: person.userId }, body });
    expect(await statusOf(portal.callerOf({ ...person, token: data.token }))).toBe(200);
  });
});

import { impersonate } from '@keepwatch/contract/identity/impersonation';
import { editProfile, getProfile } from '@keepwatch/contract/identity/sessions';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SIGNS_IN_ELSEWHERE } from '../directory/users.ts';
import { execute, row } from '../foundation/database.ts';
import { refusal } from '../testing/refusal.ts';
import { PASSWORD, startTestPortal, type TestPortal } from '../testing/test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

describe('profile', () => {
  it('changes the own details, and leaves what is not given', async () => {
    const caller = await portal.as('operator');
    const params = { id: caller.userId };
    const details = {
      name: 'Olga Peres',
      mobilePhone: '+1 555 0101',
      landingApp: { page: '/monitoring/daily-checks' },
    };
    await caller.call(editProfile, { params, body: details });
    await caller.call(editProfile, { params, body: { officePhone: '555 0102' } });
    const { data } = await caller.call(getProfile, { params });
    expect(data).toMatchObject({ ...details, officePhone: '555 0102', username: caller.username });
    await caller.call(editProfile, { params, body: { mobilePhone: null, landingApp: null } });
    expect((await caller.call(getProfile, { params })).data).toMatchObject({ mobilePhone: null, landingApp: null });
  });

  it('refuses a user name in use, in other letters too, and one that another provider has is free', async () => {
    const [caller, other, foreign] = await Promise.all([
      portal.as('operator'),
      portal.as('operator'),
      portal.as('operator', { providerId: 2 }),
    ]);
    const params = { id: caller.userId };
    const refused = await caller.send(editProfile, { params, body: { username: other.username.toUpperCase() } });
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({ message: 'The username already exists.' });
    const { data } = await caller.call(editProfile, { params, body: { username: foreign.username } });
    expect(data.username).toBe(foreign.username);
  });

  it('refuses a name of two lines, and what is no phone number and no page of the portal', async () => {
    const caller = await portal.as('operator');
    const params = { id: caller.userId };
    for (const body of [
      { name: 'Olga\nPeres' },
      { mobilePhone: 'call me' },
      { landingApp: { page: 'https://elsewhere.test' } },
      { email: 'x' },
    ])
      expect((await caller.send(editProfile, { params, body })).status).toBe(422);
  });

  it('takes the current password for another e-mail address, to which links for a new one would go', async () => {
    const caller = await portal.as('operator');
    const params = { id: caller.userId };
    const email = 'elsewhere@example.test';
    const changed = (body: object) => refusal(caller.send(editProfile, { params, body }));
    expect(await changed({ email })).toMatchObject({ status: 422, errors: [{ path: 'body.password' }] });
    expect(await changed({ email, password: 'a guess' })).toMatchObject({
      status: 401,
      message: 'The current password is not valid.',
    });
    const { data: before } = await caller.call(getProfile, { params });
    await caller.call(editProfile, { params, body: { name: 'Olga', email: before.email } });
    const { data } = await caller.call(editProfile, { params, body: { email, password: PASSWORD } });
    expect([before.email, data.email]).toEqual([`${caller.username}@example.test`, email]);
    const entry = await row<{ after: object }>(
      portal.database,
      sql`select after from audit_entries where user_id = ${caller.userId} and action = 'profile.edit' and after->>'email' = ${email}`,
    );
    expect(entry?.after).toEqual({ email });
  });

  it('asks for no password of who has none here', async () => {
    const caller = await portal.as('operator');
    await execute(
      portal.database,
      sql`update users set password_hash = ${SIGNS_IN_ELSEWHERE} where id = ${caller.userId}`,
    );
    const again = await portal.as('operator');
    await execute(portal.database, sql`update sessions set user_id = ${caller.userId} where user_id = ${again.userId}`);
    const own = portal.callerOf({ ...caller, token: again.token });
    const body = { email: 'elsewhere@example.test' };
    expect((await own.send(editProfile, { params: { id: caller.userId }, body })).status).toBe(200);
  });

  it('keeps the e-mail address from an administrator who acts as the user', async () => {
    const [admin, caller] = [await portal.as('admin'), await portal.as('operator')];
    const { token } = await admin.call(impersonate, { body: { userId: caller.userId } });
    const body = { email: 'admin@example.test', password: PASSWORD };
    const acting = portal.callerOf({ ...caller, token });
    const refused = await refusal(acting.send(editProfile, { params: { id: caller.userId }, body }));
    expect(refused).toMatchObject({ status: 403, code: 'OWN_SESSION_REQUIRED' });
  });

  it('stores that the user accepted the terms of use, and says so', async () => {
    const caller = await portal.as('o365_admin');
    const params = { id: caller.userId };
    expect((await caller.call(getProfile, { params })).data.ackO365TermsOfUse).toBe(false);
    const { data } = await caller.call(editProfile, { params, body: { ackO365TermsOfUse: true } });
    expect(data).toMatchObject({ ackO365TermsOfUse: true, preferences: { 'o365.terms-of-use': true } });
    const entry = await row<{ before: object; after: object }>(
      portal.database,
      sql`select before, after from audit_entries where user_id = ${caller.userId} and action = 'profile.edit'`,
    );
    expect(entry).toEqual({ before: { ackO365TermsOfUse: false }, after: { ackO365TermsOfUse: true } });
  });

  it('403: has no administrator who acts as the user accept the terms of use', async () => {
    const [admin, caller] = [await portal.as(['admin', 'o365_admin']), await portal.as('o365_admin')];
    const { token } = await admin.call(impersonate, { body: { userId: caller.userId } });
    const acting = portal.callerOf({ ...caller, token });
    const params = { id: caller.userId };
    for (const body of [{ ackO365TermsOfUse: true }, { preferences: { 'o365.terms-of-use': true } }])
      expect(await refusal(acting.send(editProfile, { params, body }))).toMatchObject({
        ...{ status: 403, code: 'OWN_SESSION_REQUIRED' },
      });
    expect((await acting.call(getProfile, { params })).data.ackO365TermsOfUse).toBe(false);
    await acting.call(editProfile, { params, body: { preferences: { 'sidebar.folded': [] } } });
  });

  it("is the owner's alone", async () => {
    const [caller, other] = await Promise.all([portal.as('admin'), portal.as('operator')]);
    const response = await caller.send(editProfile, { params: { id: other.userId }, body: { name: 'Another name' } });
    expect(response.status).toBe(404);
  });
});

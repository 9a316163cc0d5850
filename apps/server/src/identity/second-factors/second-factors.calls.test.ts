import { listUserLogs } from '@keepwatch/contract/audit/user-logs';
import { changeUserPassword } from '@keepwatch/contract/directory/users';
import { beginPasskey } from '@keepwatch/contract/identity/passkeys';
import { beginPhone } from '@keepwatch/contract/identity/phones';
import {
  beginAuthenticator,
  confirmAuthenticator,
  getSecondFactors,
  getUserSecondFactors,
  removeAuthenticator,
  renewRecoveryCodes,
  resetSecondFactors,
} from '@keepwatch/contract/identity/second-factors';
import { editProfile, sessionOf } from '@keepwatch/contract/identity/sessions';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { row, rows } from '../../foundation/database.ts';
import { newId } from '../../foundation/secrets.ts';
import { forgetSecrets } from '../../program/secret-check.ts';
import { refusal } from '../../testing/refusal.ts';
import { PASSWORD, startTestPortal, TEST_NOW, type TestPortal } from '../../testing/test-portal.ts';
import { forgetExpired } from '../identity.jobs.ts';
import { addAuthenticator, codeAt, signInTo } from './testing/authenticator-app.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

const actionsOf = async (username: string) => {
  const entries = await rows<{ action: string }>(
    portal.database,
    sql`select action from audit_entries where username = ${username} order by at, action`,
  );
  return entries.map(({ action }) => action);
};

describe('the authenticator app of a user', () => {
  it('counts once its code has come; the key is stored sealed, and is in the address that the app reads', async () => {
    const person = await portal.as('operator');
    const params = { id: person.userId };
    const { data } = await person.call(beginAuthenticator, { params, body: { password: PASSWORD } });
    expect(data.key).toMatch(/^[A-Z2-7]{32}$/);
    expect(data.address).toBe(`otpauth://totp/Provider%201:${person.username}?secret=${data.key}&issuer=Provider%201`);
    const before = await person.call(getSecondFactors, { params });
    expect(before.data).toEqual({
      authenticator: null,
      passkeys: [],
      phone: null,
      canUsePhone: false,
      recoveryCodesLeft: 0,
    });
    const wrong = await refusal(person.send(confirmAuthenticator, { params, body: { code: '000000' } }));
    expect(wrong).toMatchObject({ status: 422, errors: [{ path: 'body.code' }] });
    const code = codeAt(data.key, TEST_NOW);
    const confirmed = await person.call(confirmAuthenticator, { params, body: { code } });
    expect(new Set(confirmed.data.recoveryCodes).size).toBe(10);
    const after = await person.call(getSecondFactors, { params });
    expect(after.data).toEqual({
      authenticator: { createdAt: TEST_NOW.toISOString(), lastUsedAt: null },
      passkeys: [],
      phone: null,
      canUsePhone: false,
      recoveryCodesLeft: 10,
    });
    const stored = await row<{ text: string }>(
      portal.database,
      sql`select encode(secret, 'escape') || (select string_agg(encode(code_hash, 'escape'), '') from recovery_codes where user_id = ${person.userId}) as text
          from authenticators where user_id = ${person.userId}`,
    );
    for (const secret of [data.key, ...(confirmed.data.recoveryCodes ?? [])])
      expect(stored?.text).not.toContain(secret);
    expect(await actionsOf(person.username)).toEqual(['profile.add-authenticator']);
  });

  it('is forgotten where its key is lost with that of the stored secrets: the password lets in, and an app is added again', async () => {
    const person = await portal.as('operator');
    await addAuthenticator(person, TEST_NOW);
    expect(await signInTo(portal, person)).toHaveProperty('secondFactor');
    await forgetSecrets(portal.database);
    expect(await signInTo(portal, person)).toHaveProperty('token');
    expect((await addAuthenticator(person, TEST_NOW)).recoveryCodes).toHaveLength(10);
  });

  it('is added and removed with the password alone, and one at a time', async () => {
    const person = await portal.as('operator');
    const params = { id: person.userId };
    const wrong = await refusal(person.send(beginAuthenticator, { params, body: { password: 'wrong' } }));
    expect(wrong).toMatchObject({ status: 401, message: 'The current password is not valid.' });
    await addAuthenticator(person, TEST_NOW);
    const second = await refusal(person.send(beginAuthenticator, { params, body: { password: PASSWORD } }));
    expect(second).toMatchObject({ status: 409, message: expect.stringContaining('Remove it first') });
    const refused = await person.send(removeAuthenticator, { params, body: { password: 'wrong' } });
    expect(refused.status).toBe(401);
    await person.call(removeAuthenticator, { params, body: { password: PASSWORD } });
    const { data } = await person.call(getSecondFactors, { params });
    expect(data).toEqual({ authenticator: null, passkeys: [], phone: null, canUsePhone: false, recoveryCodesLeft: 0 });
    const again = await person.send(removeAuthenticator, { params, body: { password: PASSWORD } });
    expect(again.status).toBe(404);
    expect(await signInTo(portal, person)).toHaveProperty('token');
    expect(await actionsOf(person.username)).toContain('profile.remove-authenticator');
  });

  it('is confirmed within ten minutes, and forgotten where it was not', async () => {
    const person = await portal.as('operator');
    const params = { id: person.userId };
    const { data } = await person.call(beginAuthenticator, { params, body: { password: PASSWORD } });
    const later = new Date(TEST_NOW.getTime() + 10 * 60_000);
    portal.clock.now = later;
    const code = codeAt(data.key, later);
    const refused = await refusal(person.send(confirmAuthenticator, { params, body: { code } }));
    expect(refused).toMatchObject({ status: 422, errors: [{ message: expect.stringContaining('begin again') }] });
    const begun = sql`select from authenticators where user_id = ${person.userId}`;
    await forgetExpired(portal.database, new Date(later.getTime() - 1));
    expect(await rows(portal.database, begun)).toHaveLength(1);
    await forgetExpired(portal.database, later);
    expect(await rows(portal.database, begun)).toEqual([]);
    await addAuthenticator(person, later);
    await forgetExpired(portal.database, new Date(later.getTime() + 3_600_000));
    expect(await rows(portal.database, begun)).toHaveLength(1);
    portal.clock.now = TEST_NOW;
  });

  it('403: is not added before the new password, by who has set the present one: it would stay a way in', async () => {
    const [admin, person] = [await portal.as('admin'), await portal.as('operator')];
    const params = { id: person.userId };
    await admin.call(changeUserPassword, { params, body: { password: PASSWORD } });
    const { token } = sessionOf(await signInTo(portal, person));
    const set = portal.callerOf({ ...person, token });
    const password = { password: PASSWORD };
    const replies = [
      set.send(beginAuthenticator, { params, body: password }),
      set.send(beginPasskey, { params, body: password }),
      set.send(beginPhone, { params, body: { ...password, mobilePhone: '+1 555 010 0100' } }),
      set.send(editProfile, { params, body: { ...password, email: 'admin@example.test' } }),
    ];
    for (const reply of replies)
      expect(await refusal(reply)).toMatchObject({ status: 403, code: 'PASSWORD_CHANGE_REQUIRED' });
  });

  it('404: is its owner’s alone', async () => {
    const [person, other] = [await portal.as('operator'), await portal.as('super-admin')];
    const params = { id: person.userId };
    const body = { password: PASSWORD };
    const replies = await Promise.all([
      other.send(getSecondFactors, { params }),
      other.send(beginAuthenticator, { params, body }),
      other.send(confirmAuthenticator, { params, body: { code: '123456' } }),
      other.send(removeAuthenticator, { params, body }),
      other.send(renewRecoveryCodes, { params, body }),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  });
});

describe('recovery codes', () => {
  it('are made again with the password; earlier ones no longer count', async () => {
    const person = await portal.as('operator');
    const params = { id: person.userId };
    const none = await refusal(person.send(renewRecoveryCodes, { params, body: { password: PASSWORD } }));
    expect(none).toMatchObject({ status: 409, message: expect.stringContaining('Add one first') });
    const { recoveryCodes } = await addAuthenticator(person, TEST_NOW);
    const { data } = await person.call(renewRecoveryCodes, { params, body: { password: PASSWORD } });
    expect(data.filter((code) => recoveryCodes.includes(code))).toEqual([]);
    expect(data).toHaveLength(10);
    expect(await actionsOf(person.username)).toContain('profile.renew-recovery-codes');
  });
});

describe('the second factors of another user', () => {
  it('are seen and reset by an administrator of that user, and both are in the users logs', async () => {
    const [admin, person] = [await portal.as('admin'), await portal.as('operator')];
    await addAuthenticator(person, TEST_NOW);
    const params = { id: person.userId };
    const seen = await admin.call(getUserSecondFactors, { params });
    expect(seen.data).toMatchObject({ authenticator: {}, recoveryCodesLeft: 10 });
    await admin.call(resetSecondFactors, { params });
    expect((await admin.call(getUserSecondFactors, { params })).data.authenticator).toBeNull();
    expect(await signInTo(portal, person)).toHaveProperty('token');
    const logs = await admin.call(listUserLogs, { query: { limit: 100 } });
    expect(logs.data.map(({ action }) => action)).toContain('user.reset-second-factors');
  });

  it('403: are not reset by who could not give that user’s roles; 409: nor by the user; 404: nor where there is no such user', async () => {
    const [admin, above, foreign] = [
      await portal.as('admin'),
      await portal.as('super-admin'),
      await portal.as('operator', { providerId: 2 }),
    ];
    const statusFor = async (id: string) => (await admin.send(resetSecondFactors, { params: { id } })).status;
    expect([await statusFor(above.userId), await statusFor(admin.userId), await statusFor(foreign.userId)]).toEqual([
      403, 409, 404,
    ]);
    const missing = await admin.send(getUserSecondFactors, { params: { id: newId() } });
    expect(missing.status).toBe(404);
  });
});

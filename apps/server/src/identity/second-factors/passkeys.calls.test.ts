import {
  addPasskey,
  beginPasskey,
  beginPasskeySignIn,
  confirmWithPasskey,
  removePasskey,
  renamePasskey,
  signInWithPasskey,
} from '@keepwatch/contract/identity/passkeys';
import { getSecondFactors, resetSecondFactors } from '@keepwatch/contract/identity/second-factors';
import { signInWithCode } from '@keepwatch/contract/identity/sessions';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, row, rows } from '../../foundation/database.ts';
import { newId } from '../../foundation/secrets.ts';
import { refusal } from '../../testing/refusal.ts';
import { type Caller, PASSWORD, startTestPortal, TEST_NOW, type TestPortal } from '../../testing/test-portal.ts';
import { signInTo } from './testing/authenticator-app.ts';
import { softwareAuthenticator } from './testing/software-authenticator.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
beforeEach(() => {
  portal.clock.now = TEST_NOW;
});
afterAll(() => portal.stop());

const begin = async (person: Caller) =>
  (await person.call(beginPasskey, { params: { id: person.userId }, body: { password: PASSWORD } })).data;

const passkeysOf = async (person: Caller) =>
  (await person.call(getSecondFactors, { params: { id: person.userId } })).data.passkeys;

const actionsOf = async ({ username }: Caller) => {
  const entries = await rows<{ action: string }>(
    portal.database,
    sql`select action from audit_entries where username = ${username} order by at, action`,
  );
  return entries.map(({ action }) => action);
};

/** A user with a passkey, and the device that has it. */
async function protectedUser() {
  const person = await portal.as('operator');
  const device = softwareAuthenticator();
  const request = await begin(person);
  const body = { name: 'Laptop', challenge: request.challenge, proof: device.register(request) };
  const { data } = await person.call(addPasskey, { params: { id: person.userId }, body });
  return { person, device, recoveryCodes: data.recoveryCodes ?? [] };
}

/** What the browser is asked after the right password. */
async function askedOf(person: Caller) {
  const reply = await signInTo(portal, person);
  if (!('secondFactor' in reply) || reply.secondFactor.passkey === null) throw new Error('No passkey was asked for.');
  return reply.secondFactor.passkey;
}

describe('the passkeys of a user', () => {
  it('are made for the address of the portal, named, renamed and removed; the first comes with recovery codes', async () => {
    const { person, recoveryCodes } = await protectedUser();
    expect(recoveryCodes).toHaveLength(10);
    const request = await begin(person);
    expect(request).toMatchObject({ rp: { id: 'portal.test', name: 'Provider 1' }, excludeCredentials: [{}] });
    const body = { name: 'Key', challenge: request.challenge, proof: softwareAuthenticator().register(request) };
    const second = await person.call(addPasskey, { params: { id: person.userId }, body });
    expect(second.data.recoveryCodes).toBeNull();
    const [laptop, key] = await passkeysOf(person);
    const params = { id: person.userId, passkeyId: laptop?._id ?? '' };
    await person.call(renamePasskey, { params, body: { name: 'Old laptop' } });
    expect((await passkeysOf(person)).map(({ name }) => name)).toContain('Old laptop');
    expect((await person.send(removePasskey, { params, body: { password: 'wrong' } })).status).toBe(401);
    for (const passkey of [laptop, key]) {
      const removal = { params: { id: person.userId, passkeyId: passkey?._id ?? '' }, body: { password: PASSWORD } };
      await person.call(removePasskey, removal);
    }
    expect(await passkeysOf(person)).toEqual([]);
    expect(await signInTo(portal, person)).toHaveProperty('token');
    const actions = await actionsOf(person);
    expect(actions).toEqual(
      expect.arrayContaining(['profile.add-passkey', 'profile.rename-passkey', 'profile.remove-passkey']),
    );
  });

  it('422: are not added with a proof for another challenge, address or user, nor twice', async () => {
    const [person, other] = [await portal.as('operator'), await portal.as('operator')];
    const device = softwareAuthenticator();
    const [own, foreign] = [await begin(person), await begin(other)];
    const params = { id: person.userId };
    const bodies = [
      { challenge: own.challenge, proof: device.register(foreign) },
      { challenge: own.challenge, proof: device.register(own, { origin: 'https://evil.test' }) },
      { challenge: own.challenge, proof: device.register(own, { rpId: 'evil.test' }) },
      { challenge: foreign.challenge, proof: device.register(foreign) },
    ];
    for (const body of bodies) {
      const refused = await refusal(person.send(addPasskey, { params, body: { name: 'x', ...body } }));
      expect(refused).toMatchObject({ status: 422, errors: [{ path: 'body.proof' }] });
    }
    const body = { name: 'x', challenge: own.challenge, proof: device.register(own) };
    expect((await person.send(addPasskey, { params, body })).status).toBe(200);
    expect((await person.send(addPasskey, { params, body })).status).toBe(422);
    const again = await begin(person);
    const twice = { name: 'x', challenge: again.challenge, proof: device.register(again) };
    expect((await person.send(addPasskey, { params, body: twice })).status).toBe(409);
  });

  it('404: are their owner’s alone', async () => {
    const [{ person, device }, other] = [await protectedUser(), await portal.as('super-admin')];
    const [passkey] = await passkeysOf(person);
    const passkeyId = passkey?._id ?? newId();
    const password = { password: PASSWORD };
    const proof = device.register(await begin(person));
    const replies = [
      await other.send(beginPasskey, { params: { id: person.userId }, body: password }),
      await other.send(addPasskey, { params: { id: person.userId }, body: { name: 'x', challenge: 'x', proof } }),
      await other.send(renamePasskey, { params: { id: other.userId, passkeyId }, body: { name: 'x' } }),
      await other.send(removePasskey, { params: { id: other.userId, passkeyId }, body: password }),
      await person.send(removePasskey, { params: { id: person.userId, passkeyId: newId() }, body: password }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
  });

  it('are gone once an administrator has reset the second factors', async () => {
    const [{ person, device }, admin] = [await protectedUser(), await portal.as('admin')];
    await admin.call(resetSecondFactors, { params: { id: person.userId } });
    expect(await passkeysOf(person)).toEqual([]);
    const { data: request } = await portal.anonymous.call(beginPasskeySignIn, {});
    const body = { challenge: request.challenge, proof: device.prove(request) };
    expect((await portal.anonymous.send(signInWithPasskey, { body })).status).toBe(401);
  });
});

describe('a sign-in with password and passkey', () => {
  it('is answered with the passkeys of the user, and one of them ends it, once', async () => {
    const { person, device } = await protectedUser();
    const request = await askedOf(person);
    expect(request).toMatchObject({ rpId: 'portal.test', userVerification: 'preferred', allowCredentials: [{}] });
    const body = { challenge: request.challenge, proof: device.prove(request, { isVerified: false }) };
    const reply = await portal.anonymous.call(confirmWithPasskey, { body });
    expect(reply.userId).toBe(person.userId);
    expect((await portal.anonymous.send(confirmWithPasskey, { body })).status).toBe(401);
    expect((await passkeysOf(person))[0]?.lastUsedAt).toBe(TEST_NOW.toISOString());
  });

  it('401: does not count a proof for another challenge or address, of another user’s passkey, or of a copied key', async () => {
    const [{ person, device }, other] = [await protectedUser(), await protectedUser()];
    const request = await askedOf(person);
    const { challenge } = request;
    const wrong = [
      device.prove({ ...request, challenge: 'x'.repeat(43) }),
      device.prove(request, { origin: 'https://evil.test' }),
      device.prove(request, { rpId: 'evil.test' }),
      other.device.prove(request),
      { ...device.prove(request), signature: device.prove({ ...request, challenge: 'x' }).signature },
    ];
    for (const proof of wrong) {
      const refused = await refusal(portal.anonymous.send(confirmWithPasskey, { body: { challenge, proof } }));
      expect(refused).toMatchObject({ status: 401, code: 'WRONG_CODE' });
    }
    const right = { challenge, proof: device.prove(request, { count: 9 }) };
    await portal.anonymous.call(confirmWithPasskey, { body: right });
    const next = await askedOf(person);
    const copied = { challenge: next.challenge, proof: device.prove(next, { count: 9 }) };
    expect((await portal.anonymous.send(confirmWithPasskey, { body: copied })).status).toBe(401);
    expect((await actionsOf(person)).filter((action) => action === 'session.refused-code')).toHaveLength(6);
  });

  it('lets one in of a key and its copy that sign at the same time', async () => {
    const { person, device } = await protectedUser();
    const requests = [await askedOf(person), await askedOf(person)];
    const holding = await portal.database.connect();
    await holding.query('begin');
    await holding.query('select from passkeys for update');
    const replies = requests.map((request) => {
      const body = { challenge: request.challenge, proof: device.prove(request, { count: 5 }) };
      return portal.anonymous.send(confirmWithPasskey, { body });
    });
    // Both signatures were found right before either is stored.
    const isWaiting = sql`select count(*) as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like 'update "passkeys"%'`;
    await expect.poll(() => row(portal.database, isWaiting)).toEqual({ count: 2 });
    await holding.query('commit');
    holding.release();
    const statuses = (await Promise.all(replies)).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([200, 401]);
  });

  it('is ended with a recovery code where the passkey is lost', async () => {
    const { person, recoveryCodes } = await protectedUser();
    const { challenge } = await askedOf(person);
    const body = { challenge, code: recoveryCodes[0] ?? '' };
    expect((await portal.anonymous.call(signInWithCode, { body })).userId).toBe(person.userId);
  });
});

describe('a sign-in with a passkey alone', () => {
  it('lets in the user whose passkey it is, once a challenge', async () => {
    const { person, device } = await protectedUser();
    const { data: request } = await portal.anonymous.call(beginPasskeySignIn, {});
    expect(request).toMatchObject({ rpId: 'portal.test', userVerification: 'required', allowCredentials: [] });
    const body = { challenge: request.challenge, proof: device.prove(request) };
    const reply = await portal.anonymous.call(signInWithPasskey, { body });
    expect(reply.user.username).toBe(person.username);
    const again = { challenge: request.challenge, proof: device.prove(request) };
    const refused = await refusal(portal.anonymous.send(signInWithPasskey, { body: again }));
    expect(refused).toMatchObject({ status: 401, code: 'SIGN_IN_AGAIN' });
    expect(await actionsOf(person)).toContain('session.sign-in');
  });

  it('401: needs a device that made sure who uses it, a challenge made for it, and a user who may sign in', async () => {
    const { person, device } = await protectedUser();
    const { data: request } = await portal.anonymous.call(beginPasskeySignIn, {});
    const statusOf = async (challenge: string, proof: ReturnType<typeof device.prove>) =>
      (await portal.anonymous.send(signInWithPasskey, { body: { challenge, proof } })).status;
    expect(await statusOf(request.challenge, device.prove(request, { isVerified: false }))).toBe(401);
    const asked = await askedOf(person);
    expect(await statusOf(asked.challenge, device.prove(asked))).toBe(401);
    const unknown = softwareAuthenticator();
    expect(await statusOf(request.challenge, unknown.prove(request))).toBe(401);
    await execute(portal.database, sql`update users set disabled_at = now() where id = ${person.userId}`);
    expect(await statusOf(request.challenge, device.prove(request))).toBe(401);
  });
});

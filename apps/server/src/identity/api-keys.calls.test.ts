import type { Ability } from '@keepwatch/contract/abilities';
import { listUserLogs } from '@keepwatch/contract/audit/user-logs';
import { createCompany, listCompanies } from '@keepwatch/contract/companies/companies';
import { createUser, inviteUser, listUsers } from '@keepwatch/contract/directory/users';
import { createApiKey, KEYS_MAX, listApiKeys, revokeApiKey } from '@keepwatch/contract/identity/api-keys';
import { impersonate } from '@keepwatch/contract/identity/impersonation';
import { changeOwnPassword } from '@keepwatch/contract/identity/passwords';
import { getProfile, signOut } from '@keepwatch/contract/identity/sessions';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, row } from '../foundation/database.ts';
import { newId } from '../foundation/secrets.ts';
import { refusal } from '../testing/refusal.ts';
import { type Caller, PASSWORD, startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

/** A program of the user, with a key. */
async function keyOf(user: Caller, abilities: readonly Ability[], name = 'Reports'): Promise<Caller & { id: string }> {
  const body = { password: PASSWORD, name, abilities: [...abilities], days: 30 };
  const { data, token } = await user.call(createApiKey, { params: { id: user.userId }, body });
  return { ...portal.callerOf({ ...user, token }), id: data._id };
}

const statusOf = async (key: Caller) => (await key.send(listCompanies, { query: {} })).status;

describe('POST profile/{id}/api-keys', () => {
  it('200: makes a key that is shown once and stored as a hash, and is the bearer of the same calls', async () => {
    const admin = await portal.as('admin');
    const key = await keyOf(admin, ['common.companies']);
    expect(key.token).toMatch(/^kwk_[\w-]{43}$/);
    expect(await statusOf(key)).toBe(200);
    const stored = await row<{ found: boolean }>(
      portal.database,
      sql`select exists (select from api_keys k where k::text like ${`%${key.token?.slice(4)}%`}) as found`,
    );
    expect(stored?.found).toBe(false);
    const { data } = await admin.call(listApiKeys, { params: { id: admin.userId } });
    expect(data).toEqual([
      {
        _id: key.id,
        name: 'Reports',
        abilities: ['common.companies'],
        createdAt: TEST_NOW.toISOString(),
        expiresAt: new Date(TEST_NOW.getTime() + 30 * 86_400_000).toISOString(),
        lastAt: TEST_NOW.toISOString(),
        lastAddress: '127.0.0.1',
      },
    ]);
    expect(JSON.stringify(data)).not.toContain(key.token);
  });

  it('403: the key does nothing that it was not made for, and what its user may no longer', async () => {
    const admin = await portal.as('admin');
    const key = await keyOf(admin, ['common.companies']);
    const beyond = await refusal(key.send(listUserLogs, { query: {} }));
    expect(beyond).toMatchObject({ status: 403, code: 'FORBIDDEN' });
    await execute(portal.database, sql`update users set roles = '{operator}' where id = ${admin.userId}`);
    expect(await statusOf(key)).toBe(403);
  });

  it('403: the key makes no keys, changes no users and passwords, acts as no user, and ends no session', async () => {
    const admin = await portal.as('admin');
    const key = await keyOf(admin, ['monitoring.users']);
    expect((await key.send(listUsers, { query: {} })).status).toBe(200);
    const params = { id: admin.userId };
    const account = { username: 'made-by-key', name: 'Made', email: 'made@example.test', companyIds: null };
    const refused = [
      key.send(createApiKey, {
        params,
        body: { password: PASSWORD, name: 'More', abilities: ['monitoring.users'], days: 1 },
      }),
      key.send(changeOwnPassword, { params, body: { password: PASSWORD, newPassword: 'another long password' } }),
      key.send(createUser, { body: { ...account, roles: ['operator'] } }),
      key.send(inviteUser, { params }),
      key.send(impersonate, { body: { userId: (await portal.as('operator')).userId } }),
      key.send(getProfile, { params }),
      key.send(signOut, {}),
    ];
    for (const reply of refused) expect(await refusal(reply)).toMatchObject({ status: 403, code: 'SESSION_REQUIRED' });
  });

  it('422: for an ability that the user does not have; 409: for a second of one name, and for too many; 404: for another user', async () => {
    const operator = await portal.as('operator');
    const params = { id: operator.userId };
    const make = (name: string, ability: Ability, id = params.id) =>
      refusal(
        operator.send(createApiKey, {
          params: { id },
          body: { password: PASSWORD, name, abilities: [ability], days: 1 },
        }),
      );
    expect(await make('A', 'common.companies')).toMatchObject({ status: 422, errors: [{ path: 'body.abilities' }] });
    expect((await make('A', 'monitoring.dashboard', newId())).status).toBe(404);
    for (let count = 0; count < KEYS_MAX - 1; count += 1)
      await keyOf(operator, ['monitoring.dashboard'], `key ${count}`);
    expect(await make('key 0', 'monitoring.dashboard')).toMatchObject({ status: 409 });
    await keyOf(operator, ['monitoring.dashboard'], 'the last');
    expect(await make('one more', 'monitoring.dashboard')).toMatchObject({ status: 409 });
  });
});

describe('an API key ends', () => {
  it('404: lists the keys of no other user', async () => {
    const [admin, other] = [await portal.as('admin'), await portal.as('admin')];
    expect((await refusal(other.send(listApiKeys, { params: { id: admin.userId } }))).status).toBe(404);
  });

  it('404: at once when it is revoked, and not by another user', async () => {
    const [admin, other] = [await portal.as('admin'), await portal.as('admin')];
    const key = await keyOf(admin, ['common.companies']);
    const revoke = (caller: Caller) => caller.send(revokeApiKey, { params: { id: caller.userId, keyId: key.id } });
    expect((await revoke(other)).status).toBe(404);
    expect((await revoke(admin)).status).toBe(200);
    expect((await revoke(admin)).status).toBe(404);
    expect(await refusal(key.send(listCompanies, { query: {} }))).toMatchObject({ status: 401, code: 'NOT_SIGNED_IN' });
  });

  it('on its last day, and for good when its user is disabled', async () => {
    const admin = await portal.as('admin');
    const key = await keyOf(admin, ['common.companies']);
    portal.clock.now = new Date(TEST_NOW.getTime() + 30 * 86_400_000);
    expect(await statusOf(key)).toBe(401);
    portal.clock.now = TEST_NOW;
    expect(await statusOf(key)).toBe(200);
    await execute(portal.database, sql`update users set disabled_at = now() where id = ${admin.userId}`);
    await execute(portal.database, sql`update users set disabled_at = null where id = ${admin.userId}`);
    expect(await statusOf(key)).toBe(401);
  });
});

it('names the key in the users logs, beside its user', async () => {
  const admin = await portal.as('admin');
  const key = await keyOf(admin, ['common.companies'], 'Onboarding');
  await key.call(createCompany, { body: { name: 'Made by a program' } });
  await admin.call(revokeApiKey, { params: { id: admin.userId, keyId: key.id } });
  const { data } = await admin.call(listUserLogs, { query: { userIds: admin.userId } });
  const made = { username: admin.username, asUsername: null };
  const of = { name: 'Onboarding', abilities: ['common.companies'], expiresAt: expect.any(String) };
  expect(data).toHaveLength(3);
  expect(data).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...made, action: 'api-key.create', apiKey: null, after: of }),
      expect.objectContaining({ ...made, action: 'company.create', apiKey: 'Onboarding' }),
      expect.objectContaining({ ...made, action: 'api-key.delete', apiKey: null, before: of }),
    ]),
  );
});

import type { Role } from '@keepwatch/contract/abilities';
import { exportUserLogs, listOwnLogs, listUserLogs } from '@keepwatch/contract/audit/user-logs';
import { createCompany } from '@keepwatch/contract/companies/companies';
import { changeUserPassword, deleteUser, editUser, inviteUser } from '@keepwatch/contract/directory/users';
import { createApiKey } from '@keepwatch/contract/identity/api-keys';
import { exitImpersonation, impersonate } from '@keepwatch/contract/identity/impersonation';
import { listOwnSessions, revokeOtherSessions } from '@keepwatch/contract/identity/own-sessions';
import { changeOwnPassword } from '@keepwatch/contract/identity/passwords';
import { resetSecondFactors } from '@keepwatch/contract/identity/second-factors';
import { getProfile, signOut } from '@keepwatch/contract/identity/sessions';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lockProvider } from '../branding/brands.ts';
import { execute } from '../foundation/database.ts';
import { newId } from '../foundation/secrets.ts';
import { buildCompany } from '../testing/builders.ts';
import { refusal } from '../testing/refusal.ts';
import { type Caller, PASSWORD, startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import { untilOneWaits } from '../testing/until-one-waits.ts';
import { addAuthenticator } from './second-factors/testing/authenticator-app.ts';
import { SESSION_MS } from './sessions.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

/** The session of an administrator as another user. */
async function actAs(admin: Caller, { userId, username }: Caller): Promise<Caller> {
  const { token } = await admin.call(impersonate, { body: { userId } });
  return portal.callerOf({ userId, username, token });
}

const statusAs = async (caller: Caller) => (await caller.send(getProfile, { params: { id: caller.userId } })).status;

const tryAs = (admin: Caller, userId: string) => refusal(admin.send(impersonate, { body: { userId } }));

describe('POST auth/login-as', () => {
  it('200: opens a session as the user, with what the user may and no more', async () => {
    const [admin, operator] = [await portal.as('admin'), await portal.as('operator')];
    const reply = await admin.call(impersonate, { body: { userId: operator.userId.toUpperCase() } });
    expect(reply.user).toMatchObject({
      username: operator.username,
      acl: [{ role: 'operator' }],
      passwordReset: false,
    });
    const acting = portal.callerOf({ ...operator, token: reply.token });
    expect(await statusAs(acting)).toBe(200);
    expect((await acting.send(createCompany, { body: { name: 'Not of an operator' } })).status).toBe(403);
  });

  it.each([
    ['admin', 'super-admin'],
    ['admin', 'o365_admin'],
    ['o365_admin', 'operator'],
    ['o365_admin', 'admin'],
  ] satisfies [Role, Role][])('403: %s does not act as %s, a role that could not be given', async (own, role) => {
    const [admin, other] = [await portal.as(own), await portal.as(['restore-operator', role])];
    expect(await tryAs(admin, other.userId)).toMatchObject({ status: 403, code: 'FORBIDDEN' });
  });

  it('404: for a user of another provider, and for one with more companies than the caller; 409: for the caller', async () => {
    const companyIds = [await buildCompany(portal.database)];
    const limited = await portal.as('admin', { companyIds });
    const [all, foreign] = [await portal.as('operator'), await portal.as('operator', { providerId: 2 })];
    const found = await Promise.all(
      [all.userId, foreign.userId, newId(), limited.userId].map((id) => tryAs(limited, id)),
    );
    expect(found.map(({ status }) => status)).toEqual([404, 404, 404, 409]);
    expect(await statusAs(await actAs(limited, await portal.as('operator', { companyIds })))).toBe(200);
  });

  it('refuses a user who is disabled or deleted', async () => {
    const admin = await portal.as('admin');
    const [disabled, deleted] = [await portal.as('operator'), await portal.as('operator')];
    await execute(portal.database, sql`update users set disabled_at = now() where id = ${disabled.userId}`);
    await admin.call(deleteUser, { params: { id: deleted.userId }, body: { reason: 'Left' } });
    expect(await tryAs(admin, disabled.userId)).toMatchObject({
      status: 409,
      message: expect.stringContaining('disabled'),
    });
    expect((await tryAs(admin, deleted.userId)).status).toBe(404);
  });

  it('403: changes neither password, sessions nor keys of the user, and acts as no third one', async () => {
    const [admin, other] = [await portal.as('admin'), await portal.as('admin')];
    const acting = await actAs(admin, other);
    const params = { id: other.userId };
    const refused = [
      acting.send(changeOwnPassword, { params, body: { password: PASSWORD, newPassword: 'another long password' } }),
      acting.send(revokeOtherSessions, { params }),
      acting.send(createApiKey, {
        params,
        body: { password: PASSWORD, name: 'Mine', abilities: ['monitoring.users'], days: 1 },
      }),
      acting.send(impersonate, { body: { userId: (await portal.as('operator')).userId } }),
    ];
    for (const reply of refused)
      expect(await refusal(reply)).toMatchObject({ status: 403, code: 'OWN_SESSION_REQUIRED' });
    expect(await statusAs(other)).toBe(200);
  });

  it('409: changes nothing of the administrator that takes the password, or another administrator', async () => {
    const [admin, peer] = [await portal.as('admin'), await portal.as('admin')];
    await addAuthenticator(admin, TEST_NOW);
    const acting = await actAs(admin, peer);
    const params = { id: admin.userId };
    const { username } = admin;
    const same = { name: username, email: `${username}@example.test`, roles: ['admin'] as Role[], isDisabled: false };
    const refused = [
      acting.send(resetSecondFactors, { params }),
      acting.send(changeUserPassword, { params, body: { password: 'another long password' } }),
      acting.send(inviteUser, { params }),
      acting.send(editUser, { params, body: { ...same, email: 'elsewhere@example.test' } }),
      acting.send(editUser, { params, body: { ...same, isDisabled: true } }),
      acting.send(deleteUser, { params, body: { reason: 'Left' } }),
    ];
    for (const reply of refused) expect(await refusal(reply)).toMatchObject({ status: 409, code: 'CONFLICT' });
    expect(await statusAs(admin)).toBe(200);
  });

  it('does not have to choose the new password that the user has to choose', async () => {
    const [admin, other] = [await portal.as('admin'), await portal.as('admin')];
    await execute(portal.database, sql`update users set must_change_password = true where id = ${other.userId}`);
    const acting = await actAs(admin, other);
    const { data } = await acting.call(getProfile, { params: { id: other.userId } });
    expect(data.passwordReset).toBe(false);
    await acting.call(createCompany, { body: { name: 'Made meanwhile' } });
  });
});

it('401: opens no session as another user once the own one has ended meanwhile', async () => {
  const [admin, operator] = [await portal.as('admin'), await portal.as('operator')];
  const holding = await portal.database.connect();
  await holding.query('begin');
  await lockProvider(holding, 1);
  const reply = tryAs(admin, operator.userId);
  await untilOneWaits(portal.database);
  await holding.query('delete from sessions where user_id = $1', [admin.userId]);
  await holding.query('commit');
  holding.release();
  expect(await reply).toMatchObject({ status: 401, message: expect.stringContaining('expired') });
});

describe('a session as another user ends', () => {
  it.each([
    ['the session of the administrator', async (admin: Caller) => void (await admin.call(signOut, {}))],
    [
      'the account of the administrator',
      (admin: Caller) => execute(portal.database, sql`update users set deleted_at = now() where id = ${admin.userId}`),
    ],
    [
      'the role of the administrator',
      (admin: Caller) =>
        execute(portal.database, sql`update users set roles = '{operator}' where id = ${admin.userId}`),
    ],
    [
      'the account of the user',
      async (_: Caller, user: Caller) => {
        const boss = await portal.as('admin');
        await boss.call(deleteUser, { params: { id: user.userId }, body: { reason: 'Left' } });
      },
    ],
    [
      'the role of the user',
      async (_: Caller, user: Caller) => {
        const boss = await portal.as('admin');
        const account = { name: user.username, email: `${user.username}@example.test`, isDisabled: false };
        await boss.call(editUser, { params: { id: user.userId }, body: { ...account, roles: ['admin'] } });
      },
    ],
    [
      'what the user is limited to',
      async (_: Caller, user: Caller) => {
        const companyId = await buildCompany(portal.database);
        await execute(
          portal.database,
          sql`insert into user_companies (provider_id, user_id, company_id) values (1, ${user.userId}, ${companyId})`,
        );
      },
    ],
  ] as const)('with %s', async (_what, end) => {
    const [admin, operator] = [await portal.as('admin'), await portal.as('operator')];
    const acting = await actAs(admin, operator);
    await end(admin, operator);
    expect(await refusal(acting.send(getProfile, { params: { id: operator.userId } }))).toMatchObject({
      status: 401,
      message: expect.stringContaining('expired'),
    });
  });

  it('when the session of the administrator would have, however often it is used', async () => {
    const acting = await actAs(await portal.as('admin'), await portal.as('operator'));
    const after = async (ms: number) => {
      portal.clock.now = new Date(TEST_NOW.getTime() + ms);
      return statusAs(acting);
    };
    expect([await after(SESSION_MS / 2), await after(SESSION_MS - 1_000), await after(SESSION_MS)]).toEqual([
      200, 200, 401,
    ]);
    portal.clock.now = TEST_NOW;
  });

  it('200: by an exit, after which the own session goes on; 409: outside of one', async () => {
    const admin = await portal.as('admin');
    const acting = await actAs(admin, await portal.as('operator'));
    await acting.call(exitImpersonation, {});
    expect([await statusAs(acting), await statusAs(admin)]).toEqual([401, 200]);
    expect((await refusal(admin.send(exitImpersonation, {}))).status).toBe(409);
  });
});

describe('the users logs', () => {
  it('name both people in every entry, which is found under either, and in the CSV', async () => {
    const [admin, other] = [await portal.as('admin'), await portal.as('admin')];
    const acting = await actAs(admin, other);
    await acting.call(createCompany, { body: { name: 'Made for another' } });
    await acting.call(exitImpersonation, {});
    const made = { userId: admin.userId, username: admin.username, asUserId: other.userId, asUsername: other.username };
    for (const userIds of [admin.userId, other.userId]) {
      const { data } = await admin.call(listUserLogs, { query: { userIds } });
      expect(data).toHaveLength(3);
      expect(data).toEqual(
        expect.arrayContaining([
          expect.objectContaining({ action: 'session.impersonate', targetName: other.username, ...made }),
          expect.objectContaining({ action: 'company.create', ...made }),
          expect.objectContaining({ action: 'session.exit', targetName: other.username, ...made }),
        ]),
      );
    }
    expect(await admin.call(exportUserLogs, { query: { userIds: other.userId } })).toContain(
      `${admin.username},${other.username},,Company added`,
    );
  });

  it('200: show a user what was done as that user, also without the ability to see the logs; 404: of another', async () => {
    const [admin, operator] = [await portal.as('admin'), await portal.as('operator')];
    const acting = await actAs(admin, operator);
    await acting.call(exitImpersonation, {});
    const { count, data } = await operator.call(listOwnLogs, { params: { id: operator.userId }, query: {} });
    expect(data.map(({ action, username, asUsername }) => [action, username, asUsername])).toEqual(
      expect.arrayContaining([
        ['session.exit', admin.username, operator.username],
        ['session.impersonate', admin.username, operator.username],
      ]),
    );
    expect(count).toBe(2);
    const foreign = operator.send(listOwnLogs, { params: { id: admin.userId }, query: {} });
    expect((await refusal(foreign)).status).toBe(404);
  });

  it('are beside the list of own sessions, where the user sees who is signed in as that user', async () => {
    const [admin, operator] = [await portal.as('admin'), await portal.as('operator')];
    await actAs(admin, operator);
    const { data } = await operator.call(listOwnSessions, { params: { id: operator.userId } });
    expect(data.map(({ isThis, impersonator }) => [isThis, impersonator])).toEqual([
      [true, null],
      [false, admin.username],
    ]);
  });
});

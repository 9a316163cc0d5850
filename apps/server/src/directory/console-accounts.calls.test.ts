import { VSPC_SETTINGS } from '@keepwatch/connectors/vspc/settings';
import { listOwnLogs, listUserLogs } from '@keepwatch/contract/audit/user-logs';
import {
  addConsoleAccount,
  listConsoleAccounts,
  removeConsoleAccount,
  signOn,
} from '@keepwatch/contract/directory/console-accounts';
import { editUser } from '@keepwatch/contract/directory/users';
import { impersonate } from '@keepwatch/contract/identity/impersonation';
import { getProfile } from '@keepwatch/contract/identity/sessions';
import { type RunningSandbox, startSandbox } from '@keepwatch/sandbox/server';
import { usersOf } from '@keepwatch/sandbox/vspc/users';
import { buildWorld } from '@keepwatch/sandbox/world/world';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sealSettings } from '../connections/connection-settings.ts';
import { execute, rows } from '../foundation/database.ts';
import { newId } from '../foundation/secrets.ts';
import { buildCompany, buildConnection } from '../testing/builders.ts';
import { refusal } from '../testing/refusal.ts';
import { type Caller, startTestPortal, TEST_NOW, TEST_SECRETS, type TestPortal } from '../testing/test-portal.ts';

const WORLD = buildWorld(1, 3);
/** People of a company of the console, by place: a person who may sign in, and one who may no longer. */
const PEOPLE = usersOf(WORLD);
const [FIRST, SECOND, UNLINKED] = WORLD.companies.map(({ uid }) => ({
  owner: PEOPLE.find(({ organizationUid, status }) => organizationUid === uid && status === 'Enabled'),
  former: PEOPLE.find(({ organizationUid, status }) => organizationUid === uid && status === 'Disabled'),
  uid,
}));

let portal: TestPortal;
let sandbox: RunningSandbox;
let consoleId: string;
let companyIds: string[];
let admin: Caller;

beforeAll(async () => {
  sandbox = await startSandbox({ companyCount: 3, tls: false, now: () => TEST_NOW });
  portal = await startTestPortal();
  consoleId = await buildConnection(portal.database);
  companyIds = await Promise.all(
    [FIRST, SECOND].map((company) =>
      buildCompany(portal.database, { connectionId: consoleId, ...(company && { vacId: company.uid }) }),
    ),
  );
  admin = await portal.as('admin');
});
beforeEach(() => connectWith({ username: sandbox.username, password: sandbox.password }));
afterAll(async () => {
  await portal.stop();
  await sandbox.stop();
});

/** Stores the settings of the console. */
async function connectWith(given: Record<string, string>): Promise<void> {
  const key = { providerId: 1, id: consoleId };
  const { settings, secrets } = sealSettings(TEST_SECRETS, key, VSPC_SETTINGS, { url: sandbox.url, ...given });
  await execute(
    portal.database,
    sql`update connections set settings = ${JSON.stringify(settings)}::jsonb, secrets = ${secrets} where id = ${consoleId}`,
  );
}

const give = (user: Caller, accountId = '', by = admin) =>
  by.send(addConsoleAccount, { params: { id: user.userId, accountId }, body: { provider: 'vac' } });

async function withAccount(accountId = FIRST?.owner?.instanceUid): Promise<Caller> {
  const user = await portal.as('operator', { companyIds: companyIds.slice(0, 1) });
  expect((await give(user, accountId)).status).toBe(200);
  return user;
}

const open = (user: Caller) => user.send(signOn, { params: { provider: 'vac' } });

describe('POST and DELETE users/{id}/accounts/{accountId}', () => {
  it('200: gives an account by its user name, shows it to its user, and takes it again', async () => {
    const user = await portal.as('operator', { companyIds });
    const { userName = '', instanceUid = '' } = FIRST?.owner ?? {};
    const params = { id: user.userId, accountId: userName.toUpperCase() };
    const { data } = await admin.call(addConsoleAccount, { params, body: { provider: 'vac' } });
    const account = { accountId: instanceUid, provider: 'vac', name: userName, connectionName: 'A console' };
    expect(data).toEqual(account);
    expect((await admin.call(listConsoleAccounts, { params: { id: user.userId } })).data).toEqual([account]);
    const sso = async () => (await user.call(getProfile, { params: { id: user.userId } })).data.sso;
    expect(await sso()).toEqual({ vac: true, vcd: false, zerto: false });
    await admin.call(removeConsoleAccount, { params: { id: user.userId, accountId: instanceUid } });
    expect(await sso()).toEqual({ vac: false, vcd: false, zerto: false });
    const { data: entries } = await admin.call(listUserLogs, { query: { limit: 2 } });
    expect(entries.map(({ action }) => action).toSorted()).toEqual(['user.add-account', 'user.remove-account']);
  });

  it('200: an account takes the place of an earlier one of the same kind of console', async () => {
    const user = await portal.as('operator', { companyIds });
    for (const company of [FIRST, SECOND]) expect((await give(user, company?.owner?.instanceUid)).status).toBe(200);
    const { data } = await admin.call(listConsoleAccounts, { params: { id: user.userId } });
    expect(data.map(({ accountId }) => accountId)).toEqual([SECOND?.owner?.instanceUid]);
  });

  it('403: gives no account of the provider, and none of a company that the user or the caller does not see', async () => {
    const user = await portal.as('operator', { companyIds: companyIds.slice(0, 1) });
    const limited = await portal.as('admin', { companyIds: companyIds.slice(0, 1) });
    expect(await refusal(give(user, sandbox.username))).toMatchObject({
      status: 403,
      message: expect.stringContaining('account of the provider'),
    });
    expect(await refusal(give(user, SECOND?.owner?.instanceUid))).toMatchObject({ status: 403 });
    const other = await portal.as('operator', { companyIds: companyIds.slice(0, 1) });
    expect(await refusal(give(other, SECOND?.owner?.instanceUid, limited))).toMatchObject({ status: 403 });
  });

  it('409: for a company that is linked to none here; 404: for an account that no console has, and a user of another provider', async () => {
    const user = await portal.as('operator', { companyIds });
    expect(await refusal(give(user, UNLINKED?.owner?.instanceUid))).toMatchObject({
      status: 409,
      message: expect.stringContaining('Link it first'),
    });
    expect((await give(user, newId())).status).toBe(404);
    const foreign = await portal.as('operator', { providerId: 2 });
    expect((await give(foreign, FIRST?.owner?.instanceUid)).status).toBe(404);
    const params = { id: user.userId, accountId: newId() };
    expect((await admin.send(removeConsoleAccount, { params })).status).toBe(404);
  });

  it('409: says why a console does not answer, and that none is connected', async () => {
    await connectWith({ username: sandbox.username, password: 'wrong password' });
    const user = await portal.as('operator', { companyIds });
    const refused = await refusal(give(user, FIRST?.owner?.instanceUid));
    expect(refused).toMatchObject({ status: 409, message: expect.stringContaining('A console') });
    expect(JSON.stringify(refused)).not.toContain('wrong password');
    const params = { id: user.userId, accountId: newId() };
    const none = await refusal(admin.send(addConsoleAccount, { params, body: { provider: 'zerto' } }));
    expect(none).toMatchObject({ status: 409, message: 'No Zerto is connected. Connect one first.' });
  });

  it('403: not while acting as another user', async () => {
    const other = await portal.as('admin');
    const { token } = await admin.call(impersonate, { body: { userId: other.userId } });
    const acting = portal.callerOf({ ...other, token });
    expect(await refusal(give(other, FIRST?.owner?.instanceUid, acting))).toMatchObject({
      code: 'OWN_SESSION_REQUIRED',
    });
  });
});

describe('POST auth/validate-sso/{provider}', () => {
  it("200: has the console confirm the account, names the page of its company, and is in the person's own list without any token", async () => {
    const user = await withAccount();
    const { data } = await user.call(signOn, { params: { provider: 'vac' } });
    expect(data).toEqual({
      connectionName: 'A console',
      account: FIRST?.owner?.userName,
      url: expect.stringMatching(/^https:\/\//),
      isSignedIn: false,
    });
    const { data: own } = await user.call(listOwnLogs, { params: { id: user.userId }, query: {} });
    expect(own).toMatchObject([{ action: 'session.sign-on', after: { account: FIRST?.owner?.userName } }]);
    const stored = await rows(portal.database, sql`select * from audit_entries where action = 'session.sign-on'`);
    expect(JSON.stringify(stored)).not.toContain(data.url);
  });

  it('404: for who has no account there, whatever others have', async () => {
    await withAccount();
    const other = await portal.as('operator', { companyIds });
    expect((await open(other)).status).toBe(404);
    expect((await other.send(signOn, { params: { provider: 'zerto' } })).status).toBe(404);
  });

  it('403: not while acting as the user', async () => {
    const user = await withAccount();
    const { token } = await admin.call(impersonate, { body: { userId: user.userId } });
    expect(await refusal(open(portal.callerOf({ ...user, token })))).toMatchObject({ code: 'OWN_SESSION_REQUIRED' });
  });

  it('409: for an account that the console has disabled', async () => {
    const user = await withAccount(FIRST?.former?.instanceUid);
    expect(await refusal(open(user))).toMatchObject({ status: 409, message: expect.stringContaining('is disabled') });
  });

  it('403: once the user no longer sees the company of the account', async () => {
    const user = await withAccount();
    const account = { name: 'Moved', email: 'moved@example.test', roles: ['operator' as const], isDisabled: false };
    await admin.call(editUser, { params: { id: user.userId }, body: { ...account, companyIds: companyIds.slice(1) } });
    expect((await open(user)).status).toBe(403);
  });

  it('404: once the console is no longer connected; 409 while it is connected with a key', async () => {
    const user = await withAccount();
    await connectWith({ apiKey: sandbox.apiKey });
    expect(await refusal(open(user))).toMatchObject({ status: 409, message: expect.stringContaining('API key') });
    await execute(portal.database, sql`update connections set is_enabled = false where id = ${consoleId}`);
    expect((await open(user)).status).toBe(404);
    await execute(portal.database, sql`update connections set is_enabled = true where id = ${consoleId}`);
  });
});

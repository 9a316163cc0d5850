import { type SmtpServer, startSmtpServer } from '@keepwatch/connectors/testing/smtp-server';
import {
  changeUserPassword,
  createUser,
  deleteUser,
  editUser,
  inviteUser,
  listUsers,
  removeUserAccount,
} from '@keepwatch/contract/directory/users';
import { checkPasswordLink, setPasswordByLink } from '@keepwatch/contract/identity/passwords';
import { getProfile, signIn } from '@keepwatch/contract/identity/sessions';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, rows } from '../foundation/database.ts';
import { newId } from '../foundation/secrets.ts';
import { buildCompany } from '../testing/builders.ts';
import { connectMailServer, mailServices, plainText } from '../testing/mail-connection.ts';
import { refusal } from '../testing/refusal.ts';
import { type Caller, startTestPortal, type TestPortal } from '../testing/test-portal.ts';
import { accountMailOf } from './account-mail.ts';
import { sendAccountMail, sendAccountMailJob } from './send-account-mail.ts';

let portal: TestPortal;
let admin: Caller;
let companyId: string;
beforeAll(async () => {
  portal = await startTestPortal();
  admin = await portal.as(['admin']);
  companyId = await buildCompany(portal.database, { name: 'Harbour Freight' });
});
afterAll(() => portal.stop());

const PASSWORD = 'a long enough password';
const REASON = { reason: 'Left the company' };
let names = 0;

type NewUser = CallRequest<typeof createUser>['body'];

/** What is entered for a user that no other test has. */
function entered(changes: Partial<NewUser> = {}): NewUser {
  names += 1;
  const username = changes.username ?? `ada.${names}`;
  return {
    username,
    name: `Ada ${names}`,
    email: `${username}@example.test`,
    roles: ['operator'],
    companyIds: null,
    ...changes,
  };
}

const create = async (changes: Partial<NewUser> = {}) => admin.call(createUser, { body: entered(changes) });

const hashOf = (link: string) => new URL(link).searchParams.get('hash') ?? '';
const signInWith = (username: string, password: string) =>
  portal.anonymous.send(signIn, { body: { username, password } });

const auditOf = (id: string) =>
  rows<{ action: string; before: object | null; after: object | null }>(
    portal.database,
    sql`select action, before, after from audit_entries where target_id = ${id} order by at, action`,
  );

describe('POST users', () => {
  it('200: adds a user, who sets a password with the link and signs in with it', async () => {
    const { data, invitation } = await create({ companyIds: [companyId] });
    expect(data).toMatchObject({
      acl: [{ role: 'operator' }],
      companies: [{ name: 'Harbour Freight' }],
      state: 'active',
    });
    expect(invitation).toMatchObject({ isMailed: false });
    expect((await signInWith(data.username, 'none')).status).toBe(401);
    const hash = hashOf(invitation.link);
    const checked = await portal.anonymous.call(checkPasswordLink, { query: { hash } });
    expect(checked.data).toEqual({ isValid: true, isInvitation: true });
    await portal.anonymous.call(setPasswordByLink, { body: { hash, password: PASSWORD } });
    expect((await signInWith(data.username, PASSWORD)).status).toBe(200);
    expect((await portal.anonymous.call(checkPasswordLink, { query: { hash } })).data.isValid).toBe(false);
    const again = await portal.anonymous.send(setPasswordByLink, { body: { hash, password: `${PASSWORD} 2` } });
    expect(again.status).toBe(404);
    const entries = await auditOf(data._id);
    expect(entries.map(({ action }) => action).sort()).toEqual(['profile.set-password', 'user.create']);
    expect(entries).toContainEqual(
      expect.objectContaining({ after: expect.objectContaining({ companies: ['Harbour Freight'] }) }),
    );
    expect(JSON.stringify(entries)).not.toContain(hash);
  });

  it('409: refuses a name that is in use, in upper case too', async () => {
    const { data } = await create();
    const refused = await refusal(admin.send(createUser, { body: entered({ username: data.username.toUpperCase() }) }));
    expect(refused).toMatchObject({ status: 409, message: 'The username already exists.' });
  });

  it('403: gives no role that the caller could not be given, and no company that the caller does not have', async () => {
    const beyond = await refusal(admin.send(createUser, { body: entered({ roles: ['super-admin'] }) }));
    expect(beyond).toMatchObject({ status: 403, message: expect.stringContaining('"Super admin"') });
    const limited = await portal.as('admin', { companyIds: [companyId] });
    expect((await refusal(limited.send(createUser, { body: entered() }))).status).toBe(403);
    const own = await limited.call(createUser, { body: entered({ companyIds: [companyId] }) });
    expect(own.data.companyName).toBe('Harbour Freight');
  });

  it('422: refuses letters that look like others, and companies of another provider', async () => {
    const cyrillic = await refusal(admin.send(createUser, { body: entered({ username: 'аdmin' }) }));
    expect(cyrillic).toMatchObject({ status: 422, errors: [{ path: 'body.username' }] });
    const foreign = await buildCompany(portal.database, { providerId: 2 });
    const refused = await refusal(admin.send(createUser, { body: entered({ companyIds: [foreign] }) }));
    expect(refused).toMatchObject({ status: 422, errors: [{ path: 'body.companyIds' }] });
  });

  it('422: refuses a name of several lines, and mails one that is stored as one line', async () => {
    const name = 'Ada,\n\nyour mailbox is full.';
    for (const several of [name, 'Ada\u2028Lovelace', 'Ada\tLovelace'])
      expect(await refusal(admin.send(createUser, { body: entered({ name: several }) }))).toMatchObject({
        status: 422,
        errors: [{ path: 'body.name' }],
      });
    const link = 'https://portal.test';
    const { text } = accountMailOf({ purpose: 'invitation', brand: 'Harbour', name, username: 'ada', link });
    expect(text).toMatch(/^Hello Ada, your mailbox is full\.,$/m);
  });

  it('mails the invitation where a mail server is connected, with a link of its own', async () => {
    const server: SmtpServer = await startSmtpServer();
    await connectMailServer(portal.database, server);
    const { data, invitation } = await create();
    expect(invitation.isMailed).toBe(true);
    const sent = sendAccountMailJob.payload.parse(portal.sent.at(-1)?.payload);
    expect(JSON.stringify(sent)).not.toContain(hashOf(invitation.link));
    await sendAccountMail(mailServices(portal.database), sent, new AbortController().signal);
    const mail = plainText(server.received[0]);
    expect(mail).toContain('Subject: Your account at Provider 1');
    expect(mail).toContain(`Your user name is ${data.username}.`);
    const [hash = ''] = /(?<=hash=)[\w-]+/.exec(mail) ?? [];
    await portal.anonymous.call(setPasswordByLink, { body: { hash, password: PASSWORD } });
    const other = { hash: hashOf(invitation.link), password: PASSWORD };
    expect((await portal.anonymous.send(setPasswordByLink, { body: other })).status).toBe(404);
    await server.stop();
    await execute(portal.database, sql`delete from connections`);
  });
});

describe('POST users/{id}/invite', () => {
  it('200: makes a new link, and ends the earlier one', async () => {
    const { data, invitation } = await create();
    const made = await admin.call(inviteUser, { params: { id: data._id } });
    const isValid = async (link: string) =>
      (await portal.anonymous.call(checkPasswordLink, { query: { hash: hashOf(link) } })).data.isValid;
    expect([await isValid(invitation.link), await isValid(made.data.link)]).toEqual([false, true]);
  });

  it('404: for a user of another provider; 403: for one with a role that the caller could not give', async () => {
    const foreign = await portal.as('operator', { providerId: 2 });
    expect((await admin.send(inviteUser, { params: { id: foreign.userId } })).status).toBe(404);
    const above = await portal.as('super-admin');
    expect((await admin.send(inviteUser, { params: { id: above.userId } })).status).toBe(403);
  });

  it('409: makes no link for a disabled user, which would not open', async () => {
    const { data } = await create();
    await execute(portal.database, sql`update users set disabled_at = now() where id = ${data._id}`);
    expect(await refusal(admin.send(inviteUser, { params: { id: data._id } }))).toMatchObject({
      status: 409,
      message: `${data.name} is disabled. Enable the user first.`,
    });
  });
});

describe('PUT users/{id}', () => {
  const edit = (id: string, { isDisabled = false, ...changes }: Partial<NewUser> & { isDisabled?: boolean } = {}) => {
    const { username: _, ...body } = entered(changes);
    return { params: { id }, body: { isDisabled, ...body } };
  };

  it('200: changes roles and companies at once, and signs a disabled user out', async () => {
    const person = await portal.as('operator');
    const changed = await admin.call(editUser, edit(person.userId, { roles: ['read-only'], companyIds: [companyId] }));
    expect(changed.data).toMatchObject({ acl: [{ role: 'read-only' }], companyName: 'Harbour Freight' });
    const { data } = await person.call(getProfile, { params: { id: person.userId } });
    expect(data).toMatchObject({ acl: [{ role: 'read-only' }], companyIds: [companyId] });
    await admin.call(editUser, edit(person.userId, { isDisabled: true }));
    expect((await person.send(getProfile, { params: { id: person.userId } })).status).toBe(401);
    expect(await auditOf(person.userId)).toContainEqual({
      action: 'user.edit',
      before: expect.objectContaining({ state: 'active' }),
      after: expect.objectContaining({ state: 'disabled' }),
    });
  });

  it('409: refuses to change the own roles, or to disable the own account', async () => {
    const own = await portal.as(['admin', 'operator']);
    const roles: NewUser['roles'] = ['admin', 'operator'];
    for (const changes of [edit(own.userId, { roles: ['admin'] }), edit(own.userId, { roles, isDisabled: true })])
      expect((await own.send(editUser, changes)).status).toBe(409);
    const email = `${own.username}@example.test`;
    const renamed = await own.call(editUser, edit(own.userId, { name: 'New name', email, roles }));
    expect(renamed.data.name).toBe('New name');
  });

  it('409: does not lead to another password of who asks, which takes the current one: by no address, and by no link', async () => {
    const own = await portal.as('admin');
    const elsewhere = edit(own.userId, { email: 'elsewhere@example.test', roles: ['admin'] });
    expect((await own.send(editUser, elsewhere)).status).toBe(409);
    expect((await own.send(inviteUser, { params: { id: own.userId } })).status).toBe(409);
  });

  it('403: gives and takes no role beyond the own ones; 404: for a user of another provider', async () => {
    const above = await portal.as('super-admin');
    const taking = edit(above.userId, { roles: ['operator'] });
    expect((await admin.send(editUser, taking)).status).toBe(403);
    const person = await portal.as('operator');
    expect((await admin.send(editUser, edit(person.userId, { roles: ['o365_admin'] }))).status).toBe(403);
    const foreign = await portal.as('operator', { providerId: 2 });
    expect((await admin.send(editUser, edit(foreign.userId))).status).toBe(404);
  });

  it('200: a link made before a change of roles or address no longer opens; after one of the name it does', async () => {
    const opens = async (link: string) =>
      (await portal.anonymous.call(checkPasswordLink, { query: { hash: hashOf(link) } })).data.isValid;
    const { data, invitation } = await create();
    const same = { email: data.email, companyIds: null, roles: ['operator'] as NewUser['roles'] };
    await admin.call(editUser, edit(data._id, { ...same, name: 'Renamed' }));
    expect(await opens(invitation.link)).toBe(true);
    await admin.call(editUser, edit(data._id, { ...same, roles: ['admin'] }));
    expect(await opens(invitation.link)).toBe(false);
  });

  it('200: leaves companies that are not given, also of a user who has none left', async () => {
    const gone = await buildCompany(portal.database);
    const person = await portal.as('operator', { companyIds: [gone] });
    await execute(portal.database, sql`update companies set deleted_at = now() where id = ${gone}`);
    const { companyIds: _, ...body } = edit(person.userId, { isDisabled: true }).body;
    const changed = await admin.call(editUser, { params: { id: person.userId }, body });
    expect(changed.data).toMatchObject({ state: 'disabled', companies: [] });
  });

  it('404 and 403: a limited administrator changes users of the own companies alone, and gives no others', async () => {
    const limited = await portal.as('admin', { companyIds: [companyId] });
    const other = await buildCompany(portal.database);
    const own = await portal.as('operator', { companyIds: [companyId] });
    const wider = await portal.as('operator', { companyIds: [companyId, other] });
    const all = await portal.as('operator');
    const statusOf = async (id: string, companyIds: string[] | null) =>
      (await limited.send(editUser, edit(id, { companyIds }))).status;
    expect(await statusOf(own.userId, [companyId])).toBe(200);
    expect([await statusOf(own.userId, [other]), await statusOf(own.userId, null)]).toEqual([422, 403]);
    for (const { userId } of [wider, all]) {
      expect(await statusOf(userId, [companyId])).toBe(404);
      expect((await limited.send(deleteUser, { params: { id: userId }, body: REASON })).status).toBe(404);
      const password = { params: { id: userId }, body: { password: PASSWORD } };
      expect((await limited.send(changeUserPassword, password)).status).toBe(404);
    }
  });

  it('403: of two administrators who delete each other at once, one remains', async () => {
    const pair = [await portal.as('admin'), await portal.as('admin')] as const;
    const answered = await Promise.all([
      pair[0].send(deleteUser, { params: { id: pair[1].userId }, body: REASON }),
      pair[1].send(deleteUser, { params: { id: pair[0].userId }, body: REASON }),
    ]);
    const statuses = answered.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  });

  it('an administrator of Microsoft 365 administers those alone', async () => {
    const m365 = await portal.as('o365_admin');
    const person = await portal.as('o365_admin');
    const changed = await m365.call(editUser, edit(person.userId, { roles: ['o365_admin'] }));
    expect(changed.data.acl).toEqual([{ role: 'o365_admin' }]);
    const staff = await portal.as('operator');
    expect((await m365.send(editUser, edit(staff.userId, { roles: ['operator'] }))).status).toBe(403);
  });
});

describe('DELETE users/{id}', () => {
  it('200: signs the user out, leaves the list without it, and records the reason; the name is free again', async () => {
    const { data } = await create();
    const person = await portal.as('operator');
    await admin.call(deleteUser, { params: { id: person.userId }, body: { ...REASON, userRequestedId: admin.userId } });
    expect((await person.send(getProfile, { params: { id: person.userId } })).status).toBe(401);
    expect((await admin.call(listUsers, { query: { ids: [person.userId] } })).count).toBe(0);
    expect(await auditOf(person.userId)).toMatchObject([{ action: 'user.delete', after: REASON }]);
    await admin.call(deleteUser, { params: { id: data._id }, body: REASON });
    expect((await create({ username: data.username })).data.username).toBe(data.username);
  });

  it('404: for one that is deleted, 409: for the own account, 403: for a role that the caller could not give', async () => {
    const gone = { params: { id: newId() }, body: REASON };
    expect((await admin.send(deleteUser, gone)).status).toBe(404);
    expect((await admin.send(deleteUser, { params: { id: admin.userId }, body: REASON })).status).toBe(409);
    const above = await portal.as('super-admin');
    expect((await admin.send(deleteUser, { params: { id: above.userId }, body: REASON })).status).toBe(403);
  });
});

describe('PUT users/{id}/changePassword/db', () => {
  it('200: ends the sessions of the user, who has to choose a new password', async () => {
    const person = await portal.as('operator');
    await admin.call(changeUserPassword, { params: { id: person.userId }, body: { password: PASSWORD } });
    expect((await person.send(getProfile, { params: { id: person.userId } })).status).toBe(401);
    const signedIn = await (await signInWith(person.username, PASSWORD)).json();
    expect(signedIn.user.passwordReset).toBe(true);
    const onward = { headers: { authorization: `Bearer ${signedIn.token}` } };
    const refused = await refusal(portal.anonymous.raw('GET', '/api/monitoring/reporting/jobs', onward));
    expect(refused).toMatchObject({ status: 403, code: 'PASSWORD_CHANGE_REQUIRED' });
    expect((await portal.anonymous.raw('GET', `/api/profile/${person.userId}`, onward)).status).toBe(200);
  });

  it('404, 409 and 403: for a user of another provider, the own account, and a role that the caller could not give', async () => {
    const foreign = await portal.as('operator', { providerId: 2 });
    const above = await portal.as('super-admin');
    const answered = [foreign.userId, admin.userId, above.userId].map((id) =>
      admin.send(changeUserPassword, { params: { id }, body: { password: PASSWORD } }),
    );
    expect((await Promise.all(answered)).map(({ status }) => status)).toEqual([404, 409, 403]);
  });
});

describe('DELETE users/delete/{id}', () => {
  it('200: deletes a user with the reason, under the rules of DELETE users/{id}', async () => {
    const { data } = await create();
    await admin.call(removeUserAccount, { params: { id: data._id }, body: REASON });
    expect((await admin.call(listUsers, { query: { ids: [data._id] } })).count).toBe(0);
    expect((await auditOf(data._id)).at(-1)).toMatchObject({ action: 'user.delete', after: REASON });
    const above = await portal.as('super-admin');
    const refused = [
      admin.send(removeUserAccount, { params: { id: data._id }, body: REASON }),
      admin.send(removeUserAccount, { params: { id: above.userId }, body: REASON }),
      admin.send(removeUserAccount, { params: { id: admin.userId }, body: REASON }),
      admin.send(removeUserAccount, { params: { id: admin.userId }, body: { reason: ' ' } }),
    ];
    expect((await Promise.all(refused)).map(({ status }) => status)).toEqual([404, 403, 409, 422]);
  });
});

import {
  exportUserList,
  exportUsers,
  type ListedUser,
  listUsers,
  listUsersToNotify,
} from '@keepwatch/contract/directory/users';
import type { OrderOf } from '@keepwatch/contract/wire/sorts';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute, row } from '../foundation/database.ts';
import { newId } from '../foundation/secrets.ts';
import { update } from '../foundation/table-writes.ts';
import { buildCompany } from '../testing/builders.ts';
import { type Caller, startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';
import { companies, users } from './tables.ts';
import { createUser, type NewUser } from './users.ts';

let portal: TestPortal;
let admin: Caller;

beforeAll(async () => {
  portal = await startTestPortal();
  admin = await portal.as('admin');
});
afterAll(() => portal.stop());

function buildUser(given: Partial<NewUser>): Promise<string> {
  const username = newId();
  return createUser(portal.database, {
    providerId: 1,
    username,
    name: username,
    email: `${username}@example.test`,
    passwordHash: 'none',
    roles: ['operator'],
    ...given,
  });
}

function change(id: string, changes: { disabledAt?: Date; deletedAt?: Date }) {
  return update(portal.database, users, changes, { providerId: 1, id });
}

describe('GET reporting/users', () => {
  it('200: says who a user is, with which roles and for which companies, and never a password', async () => {
    const [b, a] = [
      await buildCompany(portal.database, { name: 'beta' }),
      await buildCompany(portal.database, { name: 'Alpha' }),
    ];
    const id = await buildUser({ name: 'Ada', username: 'ada.l', companyIds: [b, a], roles: ['admin', 'sub-sp'] });
    const response = await admin.send(listUsers, { query: { search: 'ADA.L' } });
    const reply = await response.text();
    expect(reply).not.toContain('assword');
    expect(JSON.parse(reply)).toMatchObject({
      count: 1,
      data: [
        {
          _id: id,
          username: 'ada.l',
          name: 'Ada',
          acl: [{ role: 'admin' }, { role: 'sub-sp' }],
          state: 'active',
          companies: [
            { _id: a, name: 'Alpha' },
            { _id: b, name: 'beta' },
          ],
          companyName: 'Alpha',
        },
      ],
    });
  });

  it('200: says of users without companies whether they reach all or none, and leaves out companies that were removed', async () => {
    const removed = await buildCompany(portal.database);
    await update(portal.database, companies, { deletedAt: TEST_NOW }, { providerId: 1, id: removed });
    await buildUser({ name: 'reach 1' });
    await buildUser({ name: 'reach 2', roles: ['sub-sp'] });
    await buildUser({ name: 'reach 3', companyIds: [removed] });
    const { data } = await admin.call(listUsers, { query: { search: 'reach' } });
    expect(data.map((user) => user.companies)).toEqual([null, [], []]);
  });

  it('200: leaves out users who were removed, and narrows by role, state and text', async () => {
    await change(await buildUser({ name: 'narrow removed' }), { deletedAt: TEST_NOW });
    await change(await buildUser({ name: 'narrow disabled' }), { disabledAt: TEST_NOW });
    await buildUser({ name: 'narrow reader', roles: ['read-only', 'operator'] });
    await buildUser({ name: 'other', email: 'narrow@example.test', roles: ['super-admin'] });
    await buildUser({ name: 'narrow elsewhere', providerId: 2 });
    const names = async (query: object) => {
      const { count, data } = await admin.call(listUsers, { query: { search: 'narrow', ...query } });
      expect(count).toBe(data.length);
      return data.map(({ name }) => name);
    };
    expect(await names({})).toEqual(['narrow disabled', 'narrow reader', 'other']);
    expect(await names({ states: ['disabled'] })).toEqual(['narrow disabled']);
    expect(await names({ states: ['active', 'disabled'], roles: ['read-only', 'super-admin'] })).toEqual([
      'narrow reader',
      'other',
    ]);
    expect(await names({ search: 'narrow%' })).toEqual([]);
  });

  it('200: sorts by the name of the company, users of all companies last, page by page', async () => {
    for (const name of ['sort c', 'Sort a', 'sort b'])
      await buildUser({ name, companyIds: [await buildCompany(portal.database, { name: `of ${name}` })] });
    await buildUser({ name: 'sort all' });
    const names = async (query: { sort: OrderOf<typeof listUsers>; limit?: number; offset?: number }) => {
      const { data } = await admin.call(listUsers, { query: { search: 'sort', ...query } });
      return data.map(({ name }: ListedUser) => name);
    };
    expect(await names({ sort: 'companyName' })).toEqual(['Sort a', 'sort b', 'sort c', 'sort all']);
    expect(await names({ sort: '-companyName' })).toEqual(['sort c', 'sort b', 'Sort a', 'sort all']);
    expect(await names({ sort: 'company' })).toEqual(['Sort a', 'sort b', 'sort c', 'sort all']);
    expect(await names({ sort: '-companies' })).toEqual(['sort c', 'sort b', 'Sort a', 'sort all']);
    expect(await names({ sort: 'companyName', limit: 2, offset: 1 })).toEqual(['sort b', 'sort c']);
  });

  it('200: shows who is limited to companies users of some of these, and of no other', async () => {
    const [mine, too, other] = [
      await buildCompany(portal.database),
      await buildCompany(portal.database),
      await buildCompany(portal.database),
    ];
    const limited = await portal.as('admin', { companyIds: [mine, too] });
    const colleague = await buildUser({ companyIds: [mine] });
    const subProviderId = newId();
    await execute(
      portal.database,
      sql`insert into sub_providers (provider_id, id, name) values (1, ${subProviderId}, 'A reseller')`,
    );
    await update(portal.database, companies, { subProviderId }, { providerId: 1, id: too });
    const reseller = await buildUser({ subProviderId });
    for (const companyIds of [[mine, other], [other], []]) await buildUser({ companyIds });
    await buildUser({ roles: ['sub-sp'] });
    const { count, data } = await limited.call(listUsers, {});
    expect([count, data.map(({ _id }) => _id).sort()]).toEqual([3, [limited.userId, colleague, reseller].sort()]);
  });
});

describe('GET companies/{veeamId}/users-to-notify', () => {
  const ask = (caller: Caller, veeamId: string, query = {}) =>
    caller.send(listUsersToNotify, { params: { veeamId }, query: { search: 'mailed', ...query } });
  const namesOf = async (...asked: Parameters<typeof ask>) => {
    const reply = await (await ask(...asked)).json();
    return reply.users.map(({ name }: { name: string }) => name);
  };

  it('200: lists who may see the company, by its id in the console or in the portal', async () => {
    const companyId = await buildCompany(portal.database, { vacId: 'veeam-1' });
    const other = await buildCompany(portal.database);
    const ada = await buildUser({ name: 'mailed ada' });
    await buildUser({ name: 'mailed bob', companyIds: [companyId, other] });
    await buildUser({ name: 'mailed elsewhere', companyIds: [other] });
    await buildUser({ name: 'mailed reseller of nothing', roles: ['sub-sp'] });
    await buildUser({ name: 'mailed of another provider', providerId: 2 });
    await buildUser({ name: 'mailed without address', email: '' });
    await change(await buildUser({ name: 'mailed disabled' }), { disabledAt: TEST_NOW });
    await change(await buildUser({ name: 'mailed removed' }), { deletedAt: TEST_NOW });
    for (const id of ['veeam-1', companyId, companyId.toUpperCase()])
      expect(await namesOf(admin, id)).toEqual(['mailed ada', 'mailed bob']);
    const reply = await (await ask(admin, companyId, { limit: 1 })).json();
    expect(reply).toMatchObject({ count: 2, users: [{ _id: ada, email: expect.stringContaining('@') }] });
    expect(Object.keys(reply.users[0]).sort()).toEqual(['_id', 'email', 'name']);
    expect(await namesOf(admin, companyId, { ids: [ada] })).toEqual(['mailed ada']);
    // Who is limited to the company sees neither the provider's own people nor those of other companies.
    const limited = await portal.as('o365_admin', { companyIds: [companyId] });
    await buildUser({ name: 'mailed colleague', companyIds: [companyId] });
    expect(await namesOf(limited, companyId)).toEqual(['mailed colleague']);
  });

  it('404: a company of another provider, outside of the reach, removed, and none; 401 and 403; 409: an id of two consoles', async () => {
    const [companyId, foreign, removed] = [
      await buildCompany(portal.database),
      await buildCompany(portal.database, { providerId: 2, vacId: 'veeam-2' }),
      await buildCompany(portal.database),
    ];
    await update(portal.database, companies, { deletedAt: TEST_NOW }, { providerId: 1, id: removed });
    for (const id of [foreign, 'veeam-2', removed, newId(), 'nothing']) expect((await ask(admin, id)).status).toBe(404);
    const elsewhere = await portal.as('o365_admin', { companyIds: [companyId] });
    expect((await ask(elsewhere, await buildCompany(portal.database))).status).toBe(404);
    expect((await ask(await portal.as('restore-operator'), companyId)).status).toBe(403);
    const path = `${portal.url}/api/companies/${companyId}/users-to-notify`;
    expect((await fetch(path)).status).toBe(401);
    for (let made = 0; made < 2; made += 1) await buildCompany(portal.database, { vacId: 'veeam-3' });
    expect((await ask(admin, 'veeam-3')).status).toBe(409);
  });
});

describe('GET reporting/users/export and POST users/export', () => {
  it('200: streams the users of the list as CSV, and records that', async () => {
    const companyIds = [
      await buildCompany(portal.database, { name: 'File, Inc.' }),
      await buildCompany(portal.database, { name: 'Archive' }),
    ];
    await buildUser({ name: 'csv =1+1', username: '=cmd()', email: 'b@csv.test', roles: ['o365_admin', 'read-only'] });
    await change(await buildUser({ name: 'csv a', username: 'csv.a', email: 'a@csv.test', companyIds }), {
      disabledAt: TEST_NOW,
    });
    await buildUser({ name: 'csv elsewhere', providerId: 2 });
    const query = { search: 'csv', sort: '-name' } as const;
    const response = await admin.send(exportUsers, { query });
    expect(response.headers.get('content-disposition')).toMatch(
      /filename="Users-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.csv"/,
    );
    const lines = (await response.text()).split('\r\n').map((line) => line.replace(/,[^,]*$/, ''));
    expect(lines).toEqual([
      'Name,User name,E-mail,Roles,Companies,State',
      'csv a,csv.a,a@csv.test,Operator,"Archive, File, Inc.",Disabled',
      'csv =1+1,\'=cmd(),b@csv.test,"Microsoft 365 admin, Read-only",All,Active',
      '',
    ]);
    const entry = sql`select after from audit_entries where username = ${admin.username} and action = 'user.export'`;
    expect(await row(portal.database, entry)).toEqual({ after: query });
    const posted = await admin.send(exportUserList, { query, body: { format: 'csv' } });
    expect(posted.headers.get('content-disposition')).toMatch(/filename="Users-.*\.csv"/);
    expect((await posted.text()).split('\r\n').map((line) => line.replace(/,[^,]*$/, ''))).toEqual(lines);
  });
});

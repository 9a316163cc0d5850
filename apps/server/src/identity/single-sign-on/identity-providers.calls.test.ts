import { editGroups, listIdentityProviders } from '@keepwatch/contract/identity/identity-providers';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { row } from '../../foundation/database.ts';
import { newId } from '../../foundation/secrets.ts';
import { buildCompany, buildConnection } from '../../testing/builders.ts';
import { refusal } from '../../testing/refusal.ts';
import { type Caller, startTestPortal, type TestPortal } from '../../testing/test-portal.ts';

let portal: TestPortal;
let admin: Caller;
let id: string;
let foreign: string;
beforeAll(async () => {
  portal = await startTestPortal();
  admin = await portal.as('super-admin');
  const kind = { port: 'identity-provider', kind: 'openid-connect' };
  id = await buildConnection(portal.database, kind);
  foreign = await buildConnection(portal.database, { ...kind, providerId: 2 });
  await buildConnection(portal.database);
});
afterAll(() => portal.stop());

describe('the groups of an identity provider', () => {
  it('200: are stored in their order and listed, with the redirect address of the brand', async () => {
    const companyId = await buildCompany(portal.database);
    const groups = [
      { group: ' Admins ', roles: ['admin' as const], companyIds: null },
      { group: 'Readers', roles: ['read-only' as const, 'operator' as const], companyIds: [companyId] },
    ];
    const { data } = await admin.call(editGroups, { params: { id }, body: { groups } });
    expect(data.groups.map(({ group }) => group)).toEqual(['Admins', 'Readers']);
    expect(await admin.call(listIdentityProviders, {})).toMatchObject({
      data: [{ _id: id, name: 'A console', isEnabled: true, groups: data.groups }],
      redirectAddress: 'https://portal.test/login/identity-provider',
      signedOutAddress: 'https://portal.test/login',
    });
    const entry = await row(
      portal.database,
      sql`select target_id as id, after from audit_entries where action = 'identity-provider.edit-groups'`,
    );
    expect(entry).toEqual({ id, after: { groups: data.groups } });
  });

  it('404: belong to the own provider, and to identity providers', async () => {
    const console = await buildConnection(portal.database);
    for (const other of [foreign, console, newId()])
      expect((await admin.send(editGroups, { params: { id: other }, body: { groups: [] } })).status).toBe(404);
  });

  it('422: give no role of super administrators, no company of another provider and nothing twice', async () => {
    const line = { group: 'Admins', roles: ['admin' as const], companyIds: null };
    const send = (groups: object[]) =>
      refusal(
        admin.raw('PUT', `/api/identity-providers/${id}/groups`, {
          body: JSON.stringify({ groups }),
          headers: { 'content-type': 'application/json' },
        }),
      );
    expect((await send([{ ...line, roles: ['super-admin'] }])).status).toBe(422);
    const companyId = await buildCompany(portal.database, { providerId: 2 });
    expect(await send([line, { ...line, group: 'B', companyIds: [companyId] }])).toMatchObject({
      status: 422,
      errors: [{ path: 'body.groups.1.companyIds' }],
    });
    expect((await send([{ ...line, companyIds: [] }])).status).toBe(422);
    expect(await send([line, line])).toMatchObject({ status: 422, errors: [{ path: 'body.groups.1.group' }] });
  });

  it('403: are not for users who are limited to companies', async () => {
    const companyId = await buildCompany(portal.database);
    const limited = await portal.as('super-admin', { companyIds: [companyId] });
    expect((await limited.send(listIdentityProviders, {})).status).toBe(403);
    expect((await limited.send(editGroups, { params: { id }, body: { groups: [] } })).status).toBe(403);
  });
});

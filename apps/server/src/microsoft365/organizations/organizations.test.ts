import { X509Certificate } from 'node:crypto';
import { listUserLogs } from '@keepwatch/contract/audit/user-logs';
import {
  createOrganization,
  deleteOrganization,
  editOrganization,
  listOrganizationNames,
  listOrganizations,
  readOrganization,
  readVersion,
  registerServer,
} from '@keepwatch/contract/microsoft365/organizations';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { loadSetUp } from '@keepwatch/engine/engine';
import { permissionNames } from '@keepwatch/sandbox/microsoft365/applications/permissions';
import { administratorOf } from '@keepwatch/sandbox/microsoft365/identity/login-page';
import { type RunningTenant, startTenant } from '@keepwatch/sandbox/microsoft365/server';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute } from '../../foundation/database.ts';
import { forgetSecrets } from '../../program/secret-check.ts';
import { buildCompany } from '../../testing/builders.ts';
import { buildOrganization } from '../../testing/microsoft365-builders.ts';
import { refusal } from '../../testing/refusal.ts';
import { addressesOf, type Caller, startTestPortal, TEST_SECRETS, type TestPortal } from '../../testing/test-portal.ts';
import { connectOrganization } from './connect-organization.ts';

let tenant: RunningTenant;
let portal: TestPortal;
let admin: Caller;
let companyId: string;
const { signal } = new AbortController();

beforeAll(async () => {
  tenant = await startTenant({ size: 'small', tenants: 3 });
  portal = await startTestPortal(undefined, { microsoft: addressesOf(tenant.url) });
  admin = await portal.as('o365_admin');
  companyId = await buildCompany(portal.database, { name: 'Contoso Ltd' });
});
afterAll(async () => {
  await portal.stop();
  await tenant.stop();
});

type Body = CallRequest<typeof createOrganization>['body'];

function entered(settings: Body['exchangeOnlineSettings'], more: Partial<Body> = {}): { body: Body } {
  return {
    body: {
      type: 'Office365',
      companyObjId: companyId,
      isExchangeOnline: true,
      isSharePointOnline: true,
      isTeamsOnline: true,
      isTeamsChatsOnline: false,
      region: 'Worldwide',
      authType: 'modernLegacy',
      exchangeOnlineSettings: settings,
      ...more,
    },
  };
}

const ofTenant = (number: number) => {
  const found = tenant.all[number];
  if (found === undefined) throw new Error('There is no such tenant.');
  const { clientId: applicationId, clientSecret: applicationSecret } = found.application;
  return { found, settings: { officeOrganizationName: found.domain, applicationId, applicationSecret } };
};

describe('Connecting an organization with an application that exists', () => {
  it('signs in with the secret, names what is missing, stores it sealed, and reads the tenant with it', async () => {
    const { found, settings } = ofTenant(0);
    const reply = await admin.call(createOrganization, entered(settings, { name: 'Contoso' }));
    expect(reply.data).toMatchObject({
      name: 'Contoso',
      companyName: 'Contoso Ltd',
      authType: 'modernLegacy',
      canRestore: true,
      jobCount: 0,
      isBackedup: false,
      certificateDaysLeft: null,
      exchangeOnlineSettings: { applicationId: settings.applicationId, applicationCertificateThumbprint: null },
      applications: [{ purpose: 'backup' }, { purpose: 'restore' }],
    });
    // SharePoint itself answers to applications with a certificate alone.
    expect(reply.missing.map(({ permission }) => permission)).toEqual([
      'Sites.Read.All of SharePoint',
      'Sites.FullControl.All of SharePoint',
      'Sites.ReadWrite.All of SharePoint',
    ]);
    expect(JSON.stringify(reply)).not.toContain(settings.applicationSecret);
    const services = { database: portal.database, secrets: TEST_SECRETS, microsoft: addressesOf(tenant.url) };
    const organization = { providerId: 1, id: reply.data.id };
    const connection = await connectOrganization(services, organization, 'restore');
    expect(connection.tenantId).toBe(found.tenantId);
    expect((await connection.page({ path: '/users', signal })).value.length).toBeGreaterThan(0);
    expect(await connectOrganization(services, organization, 'restore')).toBe(connection);
    const { data } = await (await portal.as('admin')).call(listUserLogs, { query: { limit: 10 } });
    expect(data[0]).toMatchObject({ action: 'organization.create', targetName: 'Contoso' });

    const again = await refusal(admin.send(createOrganization, entered(settings)));
    expect(again).toMatchObject({ status: 409, code: 'TENANT_CONNECTED' });
  });

  it('names each permission that an application lacks, and where an administrator grants them', async () => {
    const { found } = ofTenant(1);
    const { clientId, clientSecret } = found.registerApplication(['User.Read.All', 'Mail.Read']);
    const settings = { account: `admin@${found.domain}`, applicationId: clientId, applicationSecret: clientSecret };
    const only = { isSharePointOnline: false, isTeamsOnline: false };
    const { data, missing, consentUrl } = await admin.call(createOrganization, entered(settings, only));
    expect(data).toMatchObject({ name: found.domain, officeName: found.domain, canRestore: false });
    expect(missing).toContainEqual({
      permission: 'Calendars.Read',
      use: 'backup',
      without: 'no calendars',
      isOptional: false,
    });
    expect(missing.map(({ permission }) => permission)).not.toContain('Mail.Read');
    expect(consentUrl).toBe(`${tenant.url}/${found.tenantId}/adminconsent?client_id=${clientId}`);
    const services = { database: portal.database, secrets: TEST_SECRETS, microsoft: addressesOf(tenant.url) };
    await expect(connectOrganization(services, { providerId: 1, id: data.id }, 'restore')).rejects.toMatchObject({
      code: 'NO_RESTORE_APPLICATION',
    });

    // An administrator follows the link, and the same application is checked again.
    found.editRegistration(clientId, { permissions: permissionNames });
    const account = administratorOf(found.tenant);
    const body = new URLSearchParams({ account, answer: 'accept' });
    const granted = await fetch(consentUrl ?? '', { method: 'POST', body });
    expect(await granted.text()).toContain('Permissions were granted');
    const params = { organizationId: data.id };
    const again = await admin.call(editOrganization, { params, ...entered(settings, only) });
    expect([again.missing, again.consentUrl, again.data.canRestore]).toEqual([[], null, true]);
    await connectOrganization(services, { providerId: 1, id: data.id }, 'restore');
  });

  it('checks a certificate of a modern application, and refuses an expired one by its field', async () => {
    const { found, settings } = ofTenant(2);
    const { makeCertificate } = await loadSetUp();
    const certificateOf = async (daysLeft: number) => {
      const made = await makeCertificate('portal', Date.now() + (daysLeft - 730) * 86_400_000);
      return { cert: made.certificate, private: made.privateKey };
    };
    const [good, expired] = [await certificateOf(20), await certificateOf(-1)];
    found.addCertificate(good.cert);
    const modern = (pem: string) =>
      entered(
        { officeOrganizationName: found.tenantId, applicationId: settings.applicationId, applicationCertificate: pem },
        { authType: 'modern' },
      );
    const path = 'body.exchangeOnlineSettings.applicationCertificate';
    for (const pem of [expired.cert + expired.private, good.cert, 'x', good.cert + expired.private])
      expect(await refusal(admin.send(createOrganization, modern(pem)))).toMatchObject({
        status: 422,
        errors: [{ path }],
      });
    const { data, missing } = await admin.call(createOrganization, modern(good.cert + good.private));
    expect(missing).toEqual([]);
    const expiresMs = new X509Certificate(good.cert).validToDate.getTime();
    expect(data.certificateDaysLeft).toBe(Math.floor((expiresMs - portal.clock.now.getTime()) / 86_400_000));
    expect(data.exchangeOnlineSettings.applicationCertificateThumbprint).toMatch(/^[0-9A-F]{40}$/);
  });

  it.each([
    ['a wrong secret', { applicationSecret: 'wrong' }, 'applicationSecret'],
    ['an unknown tenant', { officeOrganizationName: 'nowhere.onmicrosoft.com' }, 'officeOrganizationName'],
    ['no tenant', { officeOrganizationName: 'contoso' }, 'officeOrganizationName'],
    ['an unknown application', { applicationId: '00000000-0000-4000-8000-000000000001' }, 'applicationId'],
    ['no application', { applicationId: 'x' }, 'applicationId'],
    ['no secret', { applicationSecret: '' }, 'applicationSecret'],
  ])('refuses %s by its field', async (_name, wrong, field) => {
    const { settings } = ofTenant(0);
    expect(await refusal(admin.send(createOrganization, entered({ ...settings, ...wrong })))).toMatchObject({
      status: 422,
      code: 'INVALID_INPUT',
      errors: [{ path: `body.exchangeOnlineSettings.${field}` }],
    });
  });

  it('refuses an application that the tenant did not let in, with the link that does', async () => {
    const { found } = ofTenant(0);
    const { clientId, clientSecret } = found.registerApplication([]);
    const { applications } = found.tenant;
    applications.servicePrincipals.delete(applications.findPrincipalByAppId(clientId)?.id ?? '');
    const settings = { officeOrganizationName: found.domain, applicationId: clientId, applicationSecret: clientSecret };
    const refused = await refusal(admin.send(createOrganization, entered(settings)));
    expect(refused).toMatchObject({ status: 409, code: 'CONSENT_MISSING' });
    expect(refused.message).toContain(`/adminconsent?client_id=${clientId}`);
  });

  it('refuses basic authentication, which Microsoft ended, and says what to do instead', async () => {
    const basic = entered({ account: 'admin@contoso.com', password: 'secret' }, { authType: 'basic' });
    const refused = await refusal(admin.send(createOrganization, basic));
    expect(refused).toMatchObject({ status: 409, code: 'BASIC_AUTHENTICATION_ENDED' });
    expect(refused.message).toContain('modern');
  });

  it('404: answers so for a company of others, and 422 where no service is chosen', async () => {
    const { settings } = ofTenant(0);
    const foreign = await buildCompany(portal.database, { providerId: 2 });
    expect((await admin.send(createOrganization, entered(settings, { companyObjId: foreign }))).status).toBe(404);
    const none = { isExchangeOnline: false, isSharePointOnline: false, isTeamsOnline: false };
    expect((await admin.send(createOrganization, entered(settings, none))).status).toBe(422);
  });
});

describe('An organization that is connected', () => {
  it('is listed, named and read within reach alone', async () => {
    const own = await buildCompany(portal.database, { name: 'Own' });
    const id = await buildOrganization(portal.database, { companyId: own, name: 'Listed here' });
    const limited = await portal.as('o365_admin', { companyIds: [own] });
    const list = await limited.call(listOrganizations, { query: { sort: '-lastBackuptime', search: 'LISTED' } });
    expect(list).toMatchObject({
      count: 1,
      data: [{ id, name: 'Listed here', companyName: 'Own', isExchangeOnline: true }],
    });
    const { data } = await limited.call(listOrganizationNames, {});
    expect(data).toEqual([{ id, name: 'Listed here', companyId: own, companyName: 'Own', engine: 'built-in' }]);
    expect((await admin.call(listOrganizations, { query: { companyId: own } })).count).toBe(1);
    expect((await limited.call(readOrganization, { params: { organizationId: id } })).data.officeName).toBe(
      'contoso.onmicrosoft.com',
    );
    const other = await portal.as('o365_admin', { companyIds: [companyId] });
    expect((await other.send(readOrganization, { params: { organizationId: id } })).status).toBe(404);
  });

  it('is changed: its name, its services, its secret', async () => {
    const company = await buildCompany(portal.database, { name: 'Edits' });
    const { found, settings } = ofTenant(0);
    await execute(portal.database, sql`delete from m365_organizations where tenant_id = ${found.tenantId}`);
    const { data } = await admin.call(createOrganization, entered(settings, { companyObjId: company, name: 'Before' }));
    const params = { organizationId: data.id };
    const changed = await admin.call(editOrganization, {
      params,
      ...entered({}, { companyObjId: company, name: 'After', isTeamsOnline: false }),
    });
    expect(changed.data).toMatchObject({ name: 'After', isTeamsOnline: false, canRestore: true });
    const wrong = entered({ applicationSecret: 'wrong' }, { companyObjId: company });
    expect(await refusal(admin.send(editOrganization, { params, ...wrong }))).toMatchObject({
      errors: [{ path: 'body.exchangeOnlineSettings.applicationSecret' }],
    });
    const poor = found.registerApplication(['User.Read.All']);
    const other = { applicationId: poor.clientId, applicationSecret: poor.clientSecret };
    const reply = await admin.call(editOrganization, { params, ...entered(other, { companyObjId: company }) });
    expect(reply.data).toMatchObject({ canRestore: false, exchangeOnlineSettings: { applicationId: poor.clientId } });
    expect(reply.missing.length).toBeGreaterThan(5);
    const { clientId, clientSecret } = ofTenant(1).found.application;
    const foreign = { applicationId: clientId, applicationSecret: clientSecret };
    expect(
      (await admin.send(editOrganization, { params, ...entered(foreign, { companyObjId: company }) })).status,
    ).toBe(422);
    const asModern = entered({}, { companyObjId: company, authType: 'modern' });
    expect((await admin.send(editOrganization, { params, ...asModern })).status).toBe(422);
    const unknown = { organizationId: '00000000-0000-4000-8000-000000000000' };
    expect((await admin.send(editOrganization, { params: unknown, ...asModern })).status).toBe(404);
  });

  it('is removed with its name repeated, and not while it has jobs or repositories', async () => {
    const id = await buildOrganization(portal.database, { companyId, name: 'To be removed' });
    const params = { organizationId: id };
    const named = { params, body: { name: 'To be removed' } };
    expect((await admin.send(deleteOrganization, { params, body: { name: 'Another' } })).status).toBe(422);
    await execute(
      portal.database,
      sql`insert into m365_repositories (provider_id, id, organization_id, name, place_kind, place, secrets, password_description, engine_id, created_at)
        values (1, ${id}, ${id}, 'R', 'folder', ${id}, '', '', '', now())`,
    );
    expect(await refusal(admin.send(deleteOrganization, named))).toMatchObject({
      code: 'ORGANIZATION_HAS_REPOSITORIES',
    });
    await execute(
      portal.database,
      sql`insert into m365_jobs (provider_id, id, organization_id, repository_id, name, description, backup_type, selected, excluded, with_chats, is_enabled, schedule, created_at)
        values (1, ${id}, ${id}, ${id}, 'J', '', 'EntireOrganization', '[]', '[]', false, true, '{}', now())`,
    );
    expect(await refusal(admin.send(deleteOrganization, named))).toMatchObject({
      status: 409,
      code: 'ORGANIZATION_HAS_JOBS',
    });
    await execute(portal.database, sql`delete from m365_jobs where organization_id = ${id}`);
    await execute(portal.database, sql`delete from m365_repositories where organization_id = ${id}`);
    await admin.call(deleteOrganization, named);
    expect((await admin.send(deleteOrganization, named)).status).toBe(404);
  });
});

describe('An organization whose secrets were lost with their key', () => {
  it('says that it has no application, and is connected again by an edit', async () => {
    const { found, settings } = ofTenant(0);
    await execute(portal.database, sql`delete from m365_organizations where tenant_id = ${found.tenantId}`);
    const { data } = await admin.call(createOrganization, entered(settings));
    await forgetSecrets(portal.database);
    const services = { database: portal.database, secrets: TEST_SECRETS, microsoft: addressesOf(tenant.url) };
    const organization = { providerId: 1, id: data.id };
    await expect(connectOrganization(services, organization)).rejects.toMatchObject({ code: 'NO_APPLICATION' });
    const params = { organizationId: data.id };
    expect((await admin.send(editOrganization, { params, ...entered({}) })).status).toBe(422);
    await admin.call(editOrganization, { params, ...entered(settings) });
    expect((await connectOrganization(services, organization)).tenantId).toBe(found.tenantId);
  });
});

describe('The engine', () => {
  it('has the version of the portal; a Veeam server is refused', async () => {
    expect((await admin.call(readVersion, { query: {} })).data).toMatchObject({ engine: 'built-in' });
    const server = { apiUrl: 'https://veeam.example:4443', username: 'a', password: 'b' };
    expect(await refusal(admin.send(registerServer, { body: server }))).toMatchObject({
      status: 409,
      code: 'NOT_SUPPORTED',
    });
  });
});

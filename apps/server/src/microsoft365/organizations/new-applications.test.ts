import {
  createOrganization,
  editOrganization,
  renewCertificate,
  requestApplicationDeviceCode,
  requestDeviceCode,
} from '@keepwatch/contract/microsoft365/organizations';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { type RunningTenant, startTenant } from '@keepwatch/sandbox/microsoft365/server';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { execute, rows } from '../../foundation/database.ts';
import { buildCompany } from '../../testing/builders.ts';
import { buildOrganization } from '../../testing/microsoft365-builders.ts';
import { refusal } from '../../testing/refusal.ts';
import {
  addressesOf,
  type Caller,
  startTestPortal,
  TEST_NOW,
  TEST_SECRETS,
  type TestPortal,
} from '../../testing/test-portal.ts';
import { connectOrganization } from './connect-organization.ts';

let tenant: RunningTenant;
let portal: TestPortal;
let admin: Caller;
let companyId: string;
const { signal } = new AbortController();
const WORLD = { size: 'small', tenants: 2, replicationAttempts: 1 } as const;
const UNKNOWN = '00000000-0000-4000-8000-000000000000';

beforeAll(async () => {
  tenant = await startTenant(WORLD);
  portal = await startTestPortal(undefined, { microsoft: addressesOf(tenant.url) });
  admin = await portal.as('o365_admin');
  companyId = await buildCompany(portal.database, { name: 'Contoso Ltd' });
});
afterAll(async () => {
  await portal.stop();
  await tenant.stop();
});
beforeEach(async () => {
  portal.clock.now = TEST_NOW;
  await execute(portal.database, sql`delete from m365_organizations`);
});

const administrator = () => `admin@${tenant.domain}`;

async function newCode(): Promise<string> {
  const body = { targetRegion: 'Worldwide', companyObjId: companyId } as const;
  const { data } = await admin.call(requestDeviceCode, { body });
  return data.userCode;
}

function withCode(userCode: string, more: object = {}): { body: CallRequest<typeof createOrganization>['body'] } {
  return {
    body: {
      type: 'Office365',
      companyObjId: companyId,
      isExchangeOnline: true,
      isSharePointOnline: true,
      isTeamsOnline: true,
      isTeamsChatsOnline: false,
      region: 'Worldwide',
      authType: 'modern',
      exchangeOnlineSettings: { userCode, newApplicationName: 'KEEPWATCH-Contoso Ltd', ...more },
    },
  };
}

const applicationsIn = ({ applications } = tenant.tenant) =>
  [...applications.applications.values()].map(({ properties }) => properties['displayName']);

describe('A device code', () => {
  it('is shown with where to enter it, and is pending until it is entered', async () => {
    const body = { targetRegion: 'Worldwide', companyObjId: companyId } as const;
    const { data } = await admin.call(requestDeviceCode, { body });
    expect(data).toMatchObject({ interval: 5, message: expect.stringContaining(data.userCode) });
    expect(data.expiresIn).toBeGreaterThan(890);
    expect(data.verificationUrl).toContain('/devicelogin');
    const stored = await rows<{ secret: Buffer }>(portal.database, sql`select secret from m365_device_codes`);
    expect(stored).toHaveLength(1);

    const ask = () => refusal(admin.send(createOrganization, withCode(data.userCode)));
    expect(await ask()).toMatchObject({ status: 409, code: 'DEVICE_CODE_PENDING', retryAfter: '5' });
    // Microsoft is not asked again within the interval: it would answer that it is too often.
    expect(await ask()).toMatchObject({ code: 'DEVICE_CODE_PENDING', retryAfter: '5' });
    portal.clock.now = new Date(TEST_NOW.getTime() + 5_000);
    expect(await ask()).toMatchObject({ code: 'DEVICE_CODE_PENDING', retryAfter: '10' });
  });

  it('says that it was declined, and that it has expired', async () => {
    const declined = await newCode();
    tenant.settleDeviceCode(declined);
    expect(await refusal(admin.send(createOrganization, withCode(declined)))).toMatchObject({
      status: 409,
      code: 'DEVICE_CODE_DECLINED',
    });
    const expired = await newCode();
    portal.clock.now = new Date(TEST_NOW.getTime() + 16 * 60_000);
    expect(await refusal(admin.send(createOrganization, withCode(expired)))).toMatchObject({
      status: 409,
      code: 'DEVICE_CODE_EXPIRED',
    });
  });

  it('is good for who requested it alone, and in the company it was requested for', async () => {
    const userCode = await newCode();
    tenant.settleDeviceCode(userCode, administrator());
    const other = await portal.as('o365_admin');
    const field = { errors: [{ path: 'body.exchangeOnlineSettings.userCode' }] };
    expect(await refusal(other.send(createOrganization, withCode(userCode)))).toMatchObject({ status: 422, ...field });
    const { body } = withCode(userCode);
    const elsewhere = { ...body, companyObjId: await buildCompany(portal.database) };
    expect(await refusal(admin.send(createOrganization, { body: elsewhere }))).toMatchObject({ status: 422, ...field });
    const foreign = await buildCompany(portal.database, { providerId: 2 });
    const code = { targetRegion: 'Worldwide', companyObjId: foreign } as const;
    expect((await admin.send(requestDeviceCode, { body: code })).status).toBe(404);
  });

  it('does nothing for who is no administrator of the tenant', async () => {
    const before = applicationsIn();
    const userCode = await newCode();
    const [, person] = tenant.tenant.directory.users;
    tenant.settleDeviceCode(userCode, person?.userPrincipalName ?? '');
    expect(await refusal(admin.send(createOrganization, withCode(userCode)))).toMatchObject({
      status: 409,
      code: 'ADMINISTRATOR_REQUIRED',
    });
    expect(applicationsIn()).toEqual(before);
  });
});

describe('Connecting an organization with new applications', () => {
  it('makes one that reads and one that may write, consents for both, and connects with them', async () => {
    const userCode = await newCode();
    tenant.settleDeviceCode(userCode, administrator());
    const both = await Promise.all([1, 2].map(() => admin.send(createOrganization, withCode(userCode.toLowerCase()))));
    // Pressed twice: one request uses the sign-in, the other waits.
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const reply = await both.find(({ ok }) => ok)?.json();
    expect(reply.data).toMatchObject({
      name: 'Contoso',
      officeName: tenant.domain,
      authType: 'modern',
      canRestore: true,
      applications: [
        { purpose: 'backup', name: 'KEEPWATCH-Contoso Ltd' },
        { purpose: 'restore', name: 'KEEPWATCH-Contoso Ltd restore' },
      ],
    });
    // Full control would let the application that only reads write.
    expect(reply.missing.map(({ permission }: { permission: string }) => permission)).toEqual([
      'Sites.FullControl.All',
      'Sites.FullControl.All of SharePoint',
    ]);
    expect(await rows(portal.database, sql`select from m365_device_codes where user_code = ${userCode}`)).toEqual([]);
    const services = { database: portal.database, secrets: TEST_SECRETS, microsoft: addressesOf(tenant.url) };
    const connection = await connectOrganization(services, { providerId: 1, id: reply.data.id });
    expect((await connection.page({ path: '/users', signal })).value.length).toBeGreaterThan(0);
  });

  it('makes nothing in a tenant that is connected already', async () => {
    await buildOrganization(portal.database, { companyId, tenantId: tenant.tenantId });
    const before = applicationsIn();
    const userCode = await newCode();
    tenant.settleDeviceCode(userCode, administrator());
    expect(await refusal(admin.send(createOrganization, withCode(userCode)))).toMatchObject({
      code: 'TENANT_CONNECTED',
    });
    expect(applicationsIn()).toEqual(before);
  });

  it('gives an application that exists a certificate and what it lacks', async () => {
    const { applications } = tenant.tenant;
    const { replicationAttempts } = applications;
    applications.replicationAttempts = 0;
    const { clientId } = tenant.registerApplication(['User.Read.All']);
    applications.replicationAttempts = replicationAttempts;
    const userCode = await newCode();
    tenant.settleDeviceCode(userCode, administrator());
    const unknown = withCode(userCode, { applicationId: UNKNOWN });
    expect(await refusal(admin.send(createOrganization, unknown))).toMatchObject({
      status: 422,
      errors: [{ path: 'body.exchangeOnlineSettings.applicationId' }],
    });
    const { data, missing } = await admin.call(createOrganization, withCode(userCode, { applicationId: clientId }));
    expect(data.exchangeOnlineSettings.applicationId).toBe(clientId);
    expect(missing.filter(({ isOptional }) => !isOptional)).toEqual([]);
  });
});

describe('An organization with certificates', () => {
  async function connected() {
    const userCode = await newCode();
    tenant.settleDeviceCode(userCode, administrator());
    return (await admin.call(createOrganization, withCode(userCode))).data;
  }

  async function codeFor(organizationId: string, user = administrator()) {
    const { data } = await admin.call(requestApplicationDeviceCode, { body: { organizationId } });
    tenant.settleDeviceCode(data.userCode, user);
    return data.userCode;
  }

  it('gets new ones, with which it goes on, and the old ones are removed', async () => {
    const before = await connected();
    const userCode = await codeFor(before.id);
    const { data } = await admin.call(renewCertificate, { body: { companyId, organizationId: before.id, userCode } });
    const prints = (of: typeof data) => of.applications.map(({ certificateThumbprint }) => certificateThumbprint);
    expect(prints(data)).toHaveLength(2);
    expect(prints(data).filter((print) => prints(before).includes(print))).toEqual([]);
    for (const { applicationId, certificateThumbprint } of data.applications) {
      const keys = tenant.tenant.applications.findByAppId(applicationId)?.keyCredentials ?? [];
      expect(keys.map(({ customKeyIdentifier }) => customKeyIdentifier)).toEqual([certificateThumbprint]);
    }
    const services = { database: portal.database, secrets: TEST_SECRETS, microsoft: addressesOf(tenant.url) };
    const connection = await connectOrganization(services, { providerId: 1, id: data.id }, 'restore');
    expect((await connection.page({ path: '/users', signal })).value.length).toBeGreaterThan(0);
  });

  it('is not renewed by a sign-in to another tenant, nor where there is no certificate', async () => {
    const { id } = await connected();
    const other = tenant.all[1];
    const body = { companyId, organizationId: id, userCode: await codeFor(id, `admin@${other?.domain}`) };
    const { status } = await refusal(admin.send(renewCertificate, { body }));
    expect(status).toBe(409);
    const plain = await buildOrganization(portal.database, { companyId, name: 'Plain' });
    const refused = await refusal(admin.send(renewCertificate, { body: { ...body, organizationId: plain } }));
    expect(refused).toMatchObject({ status: 409, code: 'NO_CERTIFICATE', message: expect.stringContaining('Plain') });
    const elsewhere = { ...body, companyId: await buildCompany(portal.database) };
    expect(await refusal(admin.send(renewCertificate, { body: elsewhere }))).toMatchObject({ code: 'OTHER_COMPANY' });
    const unknown = { ...body, organizationId: UNKNOWN };
    expect((await admin.send(renewCertificate, { body: unknown })).status).toBe(404);
    expect((await admin.send(requestApplicationDeviceCode, { body: { organizationId: UNKNOWN } })).status).toBe(404);
  });

  it('gets new applications by an edit with a code', async () => {
    const before = await connected();
    const userCode = await codeFor(before.id);
    const params = { organizationId: before.id };
    const { data } = await admin.call(editOrganization, { params, ...withCode(userCode) });
    const ids = before.applications.map(({ applicationId }) => applicationId);
    expect(data.applications.filter(({ applicationId }) => ids.includes(applicationId))).toEqual([]);
    expect(data.applications).toHaveLength(2);
  });
});

describe('A code whose letters were given out before', () => {
  /** The sandbox gives the same codes out again, as it does in the demonstration. */
  async function restart(): Promise<void> {
    const port = Number(new URL(tenant.url).port);
    await tenant.stop();
    tenant = await startTenant({ ...WORLD, port });
  }

  it('is a new one: of who requests it now, and for what', async () => {
    await restart();
    const before = await newCode();
    await restart();
    const other = await portal.as('o365_admin');
    const code = { targetRegion: 'Worldwide', companyObjId: companyId } as const;
    const { data } = await other.call(requestDeviceCode, { body: code });
    expect(data.userCode).toBe(before);
    expect((await admin.send(createOrganization, withCode(before))).status).toBe(422);
    tenant.settleDeviceCode(before, administrator());
    expect((await other.send(createOrganization, withCode(before))).status).toBe(200);
  });
});

import { addApplication, checkApplication, removeApplication } from '@keepwatch/contract/microsoft365/applications';
import {
  createOrganization,
  editOrganization,
  renewCertificate,
  requestApplicationDeviceCode,
  requestDeviceCode,
} from '@keepwatch/contract/microsoft365/organizations';
import { type RunningTenant, startTenant } from '@keepwatch/sandbox/microsoft365/server';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { execute } from '../../foundation/database.ts';
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
const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const entered = {
  type: 'Office365',
  isExchangeOnline: true,
  isSharePointOnline: false,
  isTeamsOnline: false,
  isTeamsChatsOnline: false,
  region: 'Worldwide',
  authType: 'modern',
} as const;

beforeAll(async () => {
  tenant = await startTenant({ size: 'small', tenants: 2 });
  portal = await startTestPortal(undefined, { microsoft: addressesOf(tenant.url) });
  admin = await portal.as('o365_admin');
  companyId = await buildCompany(portal.database, { name: 'Contoso Ltd' });
});
afterAll(async () => {
  await portal.stop();
  await tenant.stop();
});
beforeEach(() => execute(portal.database, sql`delete from m365_organizations`));

async function connected() {
  const body = { targetRegion: 'Worldwide', companyObjId: companyId } as const;
  const { userCode } = (await admin.call(requestDeviceCode, { body })).data;
  tenant.settleDeviceCode(userCode, `admin@${tenant.domain}`);
  const settings = { userCode, newApplicationName: 'Backup' };
  const all = { ...entered, companyObjId: companyId, exchangeOnlineSettings: settings };
  return (await admin.call(createOrganization, { body: all })).data;
}

async function codeFor(organizationId: string, domain = tenant.domain) {
  const { userCode } = (await admin.call(requestApplicationDeviceCode, { body: { organizationId } })).data;
  tenant.settleDeviceCode(userCode, `admin@${domain}`);
  return userCode;
}

async function withSecond() {
  const { id } = await connected();
  const body = { userCode: await codeFor(id) };
  return (await admin.call(addApplication, { params: { organizationId: id }, body })).data;
}

const backups = ({ applications }: Awaited<ReturnType<typeof connected>>) =>
  applications.filter(({ purpose }) => purpose === 'backup');

it('a further application is made with a sign-in, and reads beside the first', async () => {
  const data = await withSecond();
  expect(data.applications.map(({ name, purpose }) => ({ name, purpose }))).toEqual([
    { name: 'Backup', purpose: 'backup' },
    { name: 'Backup 2', purpose: 'backup' },
    { name: 'Backup restore', purpose: 'restore' },
  ]);
  expect(data.exchangeOnlineSettings.applicationId).toBe(backups(data)[0]?.applicationId);
  const services = { database: portal.database, secrets: TEST_SECRETS, microsoft: addressesOf(tenant.url) };
  const connection = await connectOrganization(services, { providerId: 1, id: data.id });
  // Each of the two is asked in turn: both must answer.
  for (const _ of [1, 2, 3, 4]) expect((await connection.page({ path: '/users', signal })).value).not.toEqual([]);
});

it('one that is there is added with its secret, once, and what it lacks is named', async () => {
  const { id } = await connected();
  const params = { organizationId: id };
  const { clientId, clientSecret } = tenant.registerApplication(['User.Read.All', 'Mail.Read']);
  const body = { applicationId: clientId.toUpperCase(), applicationSecret: clientSecret, name: 'Second' };
  const { data, missing, consentUrl } = await admin.call(addApplication, { params, body });
  expect(backups(data).at(-1)).toMatchObject({ applicationId: clientId, name: 'Second', certificateExpiresAt: null });
  expect(missing.map(({ permission }) => permission)).toContain('Calendars.Read');
  expect(missing.filter(({ use }) => use === 'restore')).toEqual([]);
  expect(consentUrl).toContain(clientId);
  // Checked once more without its secret, which is stored.
  const again = await admin.call(checkApplication, { params: { ...params, applicationId: clientId.toUpperCase() } });
  expect(again).toEqual({ success: true, data, missing, consentUrl });
  expect(await refusal(admin.send(addApplication, { params, body }))).toMatchObject({
    status: 409,
    message: expect.stringContaining('has this application already'),
  });
});

it('what cannot be an application of the organization is refused, and what is wrong with it is said', async () => {
  const { id } = await connected();
  const params = { organizationId: id };
  const add = (body: object) => refusal(admin.send(addApplication, { params, body }));
  expect(await add({})).toMatchObject({ status: 422, errors: [{ path: 'body.applicationId' }] });
  expect(await add({ applicationId: UNKNOWN })).toMatchObject({
    status: 422,
    errors: [{ path: 'body.applicationCertificate' }],
  });
  expect((await add({ applicationId: UNKNOWN, applicationSecret: 'wrong' })).status).toBeGreaterThanOrEqual(400);
  const elsewhere = tenant.all[1]?.domain;
  expect((await add({ userCode: await codeFor(id, elsewhere) })).status).toBe(409);
  const plain = await buildOrganization(portal.database, { companyId, name: 'Plain' });
  const body = { applicationId: UNKNOWN, applicationSecret: 'secret' };
  expect(await refusal(admin.send(addApplication, { params: { organizationId: plain }, body }))).toMatchObject({
    status: 409,
    message: expect.stringContaining('Plain is connected without an application'),
  });
});

it('an edit and a renewal leave further applications with the organization, in their order', async () => {
  const before = await withSecond();
  const ids = backups(before).map(({ applicationId }) => applicationId);
  const renewing = { companyId, organizationId: before.id, userCode: await codeFor(before.id) };
  const renewed = (await admin.call(renewCertificate, { body: renewing })).data;
  expect(backups(renewed).map(({ applicationId }) => applicationId)).toEqual(ids);
  const settings = { userCode: await codeFor(before.id), newApplicationName: 'Another' };
  const body = { ...entered, companyObjId: companyId, exchangeOnlineSettings: settings };
  const edited = (await admin.call(editOrganization, { params: { organizationId: before.id }, body })).data;
  expect(backups(edited).map(({ name }) => name)).toEqual(['Another', 'Backup 2']);
});

it('a further application is removed; the one that the organization is connected with is not', async () => {
  const data = await withSecond();
  const [first, second] = backups(data);
  const at = (applicationId = UNKNOWN) => ({ params: { organizationId: data.id, applicationId } });
  expect(await refusal(admin.send(removeApplication, at(first?.applicationId)))).toMatchObject({
    status: 409,
    message: 'The organization is connected with Backup. Edit the organization to connect it with another application.',
  });
  const after = (await admin.call(removeApplication, at(second?.applicationId))).data;
  expect(after.applications).toEqual(data.applications.filter((one) => one !== second));
});

it('404: an organization of another company or none, and an application that it does not have', async () => {
  const { id, applications } = await withSecond();
  const applicationId = applications[1]?.applicationId ?? '';
  const elsewhere = await portal.as('o365_admin', { companyIds: [await buildCompany(portal.database)] });
  const asked = [
    admin.send(addApplication, { params: { organizationId: UNKNOWN }, body: { userCode: 'X' } }),
    elsewhere.send(addApplication, { params: { organizationId: id }, body: { userCode: 'X' } }),
    admin.send(checkApplication, { params: { organizationId: UNKNOWN, applicationId } }),
    elsewhere.send(checkApplication, { params: { organizationId: id, applicationId } }),
    admin.send(checkApplication, { params: { organizationId: id, applicationId: UNKNOWN } }),
    admin.send(removeApplication, { params: { organizationId: UNKNOWN, applicationId } }),
    elsewhere.send(removeApplication, { params: { organizationId: id, applicationId } }),
    admin.send(removeApplication, { params: { organizationId: id, applicationId: UNKNOWN } }),
  ];
  for (const response of asked) expect((await response).status).toBe(404);
});

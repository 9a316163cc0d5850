import { listUserLogs } from '@keepwatch/contract/audit/user-logs';
import {
  exportLicensedUsers,
  exportLicensing,
  listLicensedUsers,
  listLicensing,
} from '@keepwatch/contract/microsoft365/licensing';
import type { CallRequest } from '@keepwatch/contract/wire/call';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCompany } from '../../testing/builders.ts';
import {
  type BuiltOrganization,
  buildLicensedUser,
  buildOwnOrganization,
} from '../../testing/microsoft365-builders.ts';
import { dayAgo } from '../../testing/report-builders.ts';
import { type Caller, startTestPortal, type TestPortal } from '../../testing/test-portal.ts';

let portal: TestPortal;
let admin: Caller;
let contoso: BuiltOrganization;
let ada: string;

const at = (day: number) => `${dayAgo(day)}T12:00:00.000Z`;
const days = (from: number, to: number) => ({ from: at(from), to: at(to) });
const SAFE = { name: '=cmd()', address: 'grace@contoso.example' };

beforeAll(async () => {
  portal = await startTestPortal();
  admin = await portal.as('o365_admin');
  const companyId = await buildCompany(portal.database, { name: 'Acme' });
  contoso = await buildOwnOrganization(portal.database, { companyId, name: 'Contoso' });
  await buildOwnOrganization(portal.database, { companyId, name: 'Fabrikam' });
  ada = await buildLicensedUser(portal.database, contoso, { driveBytes: 500, periods: [[dayAgo(60), dayAgo(1)]] });
  // Licensed until ten days ago: 31 days from the last backup on.
  await buildLicensedUser(portal.database, contoso, { ...SAFE, periods: [[dayAgo(90), dayAgo(40)]] });
  const katherine = { name: 'Katherine', address: 'k@contoso.example', mailboxBytes: null, driveBytes: 7 };
  await buildLicensedUser(portal.database, contoso, { ...katherine, periods: [[dayAgo(9), dayAgo(8)]] });
});
afterAll(() => portal.stop());

const namesOf = async (query: CallRequest<typeof listLicensedUsers>['query']) =>
  (await admin.call(listLicensedUsers, { query })).data.map(({ name }) => name);

describe('GET o365/consumption', () => {
  it('200: lists who was licensed on a day of the range, with what is stored of them', async () => {
    const { count, data } = await admin.call(listLicensedUsers, { query: days(5, 0) });
    expect(count).toBe(2);
    expect(data[0]).toEqual({
      _id: ada,
      serviceProvider: { id: 1 },
      objectId: expect.any(String),
      name: 'Ada Lovelace',
      address: 'ada@contoso.example',
      organizationId: contoso.id,
      organizationName: 'Contoso',
      companyId: contoso.companyId,
      companyName: 'Acme',
      licensedFrom: dayAgo(60),
      lastBackupOn: dayAgo(1),
      licensedUntil: dayAgo(-29),
      mailboxBytes: 1_000,
      archiveBytes: null,
      driveBytes: 500,
      chatsBytes: null,
      bytes: 1_500,
    });
  });

  it('counts a user until the 31st day from the last backup on, and no longer', async () => {
    expect(await namesOf(days(10, 10))).toContain(SAFE.name);
    expect(await namesOf(days(9, 9))).not.toContain(SAFE.name);
    expect(await namesOf(days(91, 91))).toEqual([]);
  });

  it('counts the last 31 days without a range, and no day to come', async () => {
    expect(await namesOf({})).toEqual(['=cmd()', 'Ada Lovelace', 'Katherine']);
    expect(await namesOf(days(-3, -5))).toEqual([]);
  });

  it('filters by change, part, age of the last backup, organization, company, id and text', async () => {
    expect(await namesOf({ change: 'new' })).toEqual(['Katherine']);
    expect(await namesOf({ change: 'released' })).toEqual([SAFE.name]);
    expect(await namesOf({ ...days(0, 0), parts: ['mailbox'] })).toEqual(['Ada Lovelace']);
    expect(await namesOf({ ...days(0, 0), parts: ['mailbox', 'drive'], sort: '-bytes' })).toEqual([
      'Ada Lovelace',
      'Katherine',
    ]);
    expect(await namesOf({ ...days(0, 0), stale: true })).toEqual(['Katherine']);
    expect(await namesOf({ ids: [ada], organizationId: contoso.id, companyId: contoso.companyId })).toEqual([
      'Ada Lovelace',
    ]);
    expect(await namesOf({ search: 'GRACE@' })).toEqual([SAFE.name]);
  });

  it('shows nothing to those who reach other companies, and nothing of another provider', async () => {
    const other = await portal.as('o365_admin', { companyIds: [await buildCompany(portal.database)] });
    expect(await other.call(listLicensedUsers, { query: {} })).toMatchObject({ count: 0, data: [] });
    const foreign = await portal.as('o365_admin', { providerId: 2 });
    expect(await foreign.call(listLicensedUsers, { query: {} })).toMatchObject({ count: 0 });
  });

  it('422: a range that ends before it begins, or is too long', async () => {
    expect((await admin.send(listLicensedUsers, { query: days(1, 5) })).status).toBe(422);
    expect((await admin.send(listLicensedUsers, { query: days(500, 0) })).status).toBe(422);
  });
});

describe('GET o365/licensing', () => {
  it('200: counts the licences of each organization, those without any too, with the sums', async () => {
    const { count, data, total } = await admin.call(listLicensing, { query: { sort: '-licensedUsers' } });
    expect(count).toBe(2);
    expect(data).toMatchObject([
      {
        _id: contoso.id,
        serviceProvider: { id: 1 },
        organizationName: 'Contoso',
        companyName: 'Acme',
        ...{ licensedUsers: 3, newUsers: 1, releasedUsers: 1, bytes: 2_507 },
      },
      { organizationName: 'Fabrikam', licensedUsers: 0, newUsers: 0, releasedUsers: 0, bytes: 0 },
    ]);
    expect(total).toEqual({ licensedUsers: 3, newUsers: 1, releasedUsers: 1, bytes: 2_507 });
  });

  it('leads to exactly the users that it counts', async () => {
    const query = { ...days(20, 4), search: 'Contoso' };
    const { total } = await admin.call(listLicensing, { query });
    const listed = async (given: object) =>
      (await admin.call(listLicensedUsers, { query: { ...days(20, 4), ...given } })).count;
    expect(await listed({})).toBe(total.licensedUsers);
    expect(await listed({ change: 'new' })).toBe(total.newUsers);
    expect(await listed({ change: 'released' })).toBe(total.releasedUsers);
  });
});

describe('the files', () => {
  it('200: have the same rows, without formulas, and are recorded', async () => {
    const users = await admin.send(exportLicensedUsers, { query: { sort: 'name' } });
    expect(users.headers.get('content-disposition')).toMatch(/filename="LicensedUsers-[\dT-]{19}Z\.csv"/);
    const lines = (await users.text()).split('\r\n');
    expect(lines[0]).toContain('Company,Organization,Name,Address,Licensed from,Last backup (UTC),Licensed until');
    expect(lines[1]).toBe(
      `Acme,Contoso,'=cmd(),grace@contoso.example,${dayAgo(90)},${dayAgo(40)},${dayAgo(10)},1000,,,,1000`,
    );
    expect(lines).toHaveLength(5);
    const organizations = await admin.call(exportLicensing, { query: { sort: '-licensedUsers' } });
    expect(organizations).toContain('Acme,Contoso,3,1,1,2507\r\nAcme,Fabrikam,0,0,0,0\r\n');
    const reader = await portal.as('super-admin');
    const { data } = await reader.call(listUserLogs, {
      query: { actions: ['m365-licensed-user.export', 'm365-licensing.export'], sort: 'action' },
    });
    expect(data.map(({ action }) => action)).toEqual(['m365-licensed-user.export', 'm365-licensing.export']);
  });
});

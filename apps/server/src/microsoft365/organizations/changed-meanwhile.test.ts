import {
  createOrganization,
  editOrganization,
  requestDeviceCode,
} from '@keepwatch/contract/microsoft365/organizations';
import { type RunningTenant, startTenant } from '@keepwatch/sandbox/microsoft365/server';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { row, transaction } from '../../foundation/database.ts';
import { Scope } from '../../foundation/scope.ts';
import { buildCompany } from '../../testing/builders.ts';
import { addressesOf, type Caller, startTestPortal, TEST_SECRETS, type TestPortal } from '../../testing/test-portal.ts';
import { openApplication, readApplications, storeApplications } from './applications.ts';
import { lockOrganization } from './organizations.ts';

let tenant: RunningTenant;
let portal: TestPortal;
let admin: Caller;
let companyId: string;

beforeAll(async () => {
  tenant = await startTenant({ size: 'small', replicationAttempts: 1 });
  portal = await startTestPortal(undefined, { microsoft: addressesOf(tenant.url) });
  admin = await portal.as('o365_admin');
  companyId = await buildCompany(portal.database, { name: 'Contoso Ltd' });
});
afterAll(async () => {
  await portal.stop();
  await tenant.stop();
});

const settled = (userCode: string) => {
  tenant.settleDeviceCode(userCode, `admin@${tenant.domain}`);
  return userCode;
};
const bodyOf = (exchangeOnlineSettings: object) => ({
  type: 'Office365' as const,
  companyObjId: companyId,
  isExchangeOnline: true,
  isSharePointOnline: true,
  isTeamsOnline: true,
  isTeamsChatsOnline: false,
  region: 'Worldwide' as const,
  authType: 'modern' as const,
  exchangeOnlineSettings,
});

it('keeps the key that was renewed while an edit asked Microsoft about the old one', async () => {
  const code = await admin.call(requestDeviceCode, { body: { targetRegion: 'Worldwide', companyObjId: companyId } });
  const { data } = await admin.call(createOrganization, { body: bodyOf({ userCode: settled(code.data.userCode) }) });
  const key = { providerId: 1, id: data.id };
  const { database } = portal;
  const edit = () =>
    admin.send(editOrganization, {
      params: { organizationId: data.id },
      body: bodyOf({ applicationId: data.exchangeOnlineSettings.applicationId }),
    });
  const edited = await transaction(database, async (connection) => {
    await lockOrganization(connection, new Scope(1, null), data.id);
    const waiting = edit();
    // It has read the applications and asked Microsoft about them, and waits to store them.
    await expect.poll(() => waitingIn(database)).toBe(1);
    const renewed = (await readApplications(connection, key)).map((one) => ({
      ...openApplication(TEST_SECRETS, data.id, one),
      certificateThumbprint: 'RENEWED',
    }));
    await storeApplications(connection, TEST_SECRETS, key, renewed, new Date());
    return { waiting };
  });
  const reply = await edited.waiting;
  expect([reply.status, (await reply.json()).code]).toEqual([409, 'CONFLICT']);
  const prints = async () =>
    (await readApplications(database, key)).map(({ certificateThumbprint }) => certificateThumbprint);
  expect(await prints()).toEqual(['RENEWED', 'RENEWED']);
  expect((await edit()).status).toBe(200);
});

const waitingIn = async (database: TestPortal['database']) =>
  (
    await row<{ count: number }>(
      database,
      sql`select count(*) as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
  )?.count;

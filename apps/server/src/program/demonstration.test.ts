import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createRestoreRole,
  deleteRestoreRole,
  listRestoreRoles,
  readRestoreRole,
} from '@keepwatch/contract/restore/roles';
import { type RunningTenant, startTenant } from '@keepwatch/sandbox/microsoft365/server';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findUserByName } from '../directory/users.ts';
import { startTestPortal, TEST_NOW, TEST_SECRETS, type TestPortal } from '../testing/test-portal.ts';
import { DEMONSTRATION, DEMONSTRATION_PROVIDER, ensureDemonstration } from './demonstration.ts';
import { ensureDemonstrationOrganization } from './demonstration-organization.ts';

let portal: TestPortal;
let tenant: RunningTenant;
let dataDir: string;

beforeAll(async () => {
  portal = await startTestPortal();
  tenant = await startTenant({ size: 'small' });
  dataDir = await mkdtemp(join(tmpdir(), 'keepwatch-demonstration-'));
  await ensureDemonstration(portal.database);
  await start();
});
afterAll(async () => {
  await tenant.stop();
  await portal.stop();
  await rm(dataDir, { recursive: true, force: true });
});

function start(): Promise<void> {
  const parts = { database: portal.database, secrets: TEST_SECRETS, dataDir, now: TEST_NOW, morning: TEST_NOW };
  return ensureDemonstrationOrganization(parts, DEMONSTRATION_PROVIDER, tenant);
}

it('has an account of each role that restores, whose role shows three people of the organization', async () => {
  const admin = await portal.as('o365_admin');
  const restore = await findUserByName(portal.database, DEMONSTRATION_PROVIDER, 'restore');
  expect(restore?.roles).toEqual(['restore-operator']);
  expect(DEMONSTRATION.accounts.map(({ username }) => username)).toContain('restore');
  const [role] = (await admin.call(listRestoreRoles, {})).data;
  expect(role).toMatchObject({ organizationName: 'Contoso', operators: [{ id: restore?.id }], selectedCount: 3 });
  const { data } = await admin.call(readRestoreRole, { params: { opRoleId: role?.id ?? '' } });
  const mailboxes = tenant.tenant.directory.users.filter(({ mailbox }) => mailbox !== null).map(({ id }) => id);
  for (const { type, id } of data.selectedItems) expect([type, mailboxes.includes(id)]).toEqual(['User', true]);
});

it('leaves a role of this name as it is at another start', async () => {
  const admin = await portal.as('o365_admin');
  const [role] = (await admin.call(listRestoreRoles, {})).data;
  await admin.call(deleteRestoreRole, { params: { opRoleId: role?.id ?? '' } });
  const operators = role?.operators.map(({ id }) => ({ id })) ?? [];
  const body = { name: role?.name ?? '', roleType: 'EntireOrganization' as const, operators };
  await admin.call(createRestoreRole, { params: { organizationId: role?.organizationId ?? '' }, body });
  await start();
  const { data } = await admin.call(listRestoreRoles, {});
  expect(data).toMatchObject([{ roleType: 'EntireOrganization' }]);
});

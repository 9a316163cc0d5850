import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunningTenant } from '../../../../sandbox/src/microsoft365/server.ts';
import { startConnected } from '../../testing/graph/graph-tenant.ts';
import type { GraphConnection } from './connection.ts';

let tenant: RunningTenant;
let connection: GraphConnection;
beforeEach(async () => {
  ({ tenant, connection } = await startConnected());
});
afterEach(() => tenant.stop());

test('what is full is asked once, and says that room must be made', async () => {
  tenant.tenant.behaviours.fullMailboxes = true;
  const user = tenant.tenant.directory.users.find(({ mailbox }) => mailbox !== null);
  const made = connection.ask({
    method: 'POST',
    path: `/users/${user?.id}/mailFolders`,
    body: { displayName: 'Restored' },
    isRepeatable: true,
  });
  await expect(made).rejects.toMatchObject({ code: 'source-full', isRetryable: false });
  await expect(made).rejects.toThrow(/ErrorQuotaExceeded.*free space/);
  expect(tenant.requests().byStatus).toMatchObject({ 507: 1 });
});

test('what is read-only says that it is locked', async () => {
  tenant.tenant.behaviours.readOnlySites = true;
  const [site] = tenant.tenant.sites.all().filter(({ defaultLibrary }) => defaultLibrary !== undefined);
  const path = `/drives/${site?.defaultLibrary?.drive?.facts.id}/root/children`;
  await connection.page({ path });
  const made = connection.ask({ method: 'POST', path, body: { name: 'Restored', folder: {} } });
  await expect(made).rejects.toMatchObject({ code: 'source-refused', message: expect.stringContaining('is locked') });
});

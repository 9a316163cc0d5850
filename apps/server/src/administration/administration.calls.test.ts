import { getAdminDashboard } from '@keepwatch/contract/administration/dashboard';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { execute } from '../foundation/database.ts';
import { reportWorker } from '../microsoft365/workers/workers.ts';
import { buildCompany, buildSource } from '../testing/builders.ts';
import { buildOrganization } from '../testing/microsoft365-builders.ts';
import { startTestPortal, TEST_NOW, type TestPortal } from '../testing/test-portal.ts';

const FIGURES = { waiting: 3, running: 1, failed: 2, failing: [{ name: 'sources.sync', failed: 2 }] };
let portal: TestPortal;

beforeAll(async () => {
  portal = await startTestPortal(undefined, { queueFigures: async () => FIGURES });
});
afterAll(() => portal.stop());

const inDays = (days: number) => new Date(TEST_NOW.getTime() + days * 86_400_000);

/** An organization of which the certificate expires in some days. */
async function buildExpiring(providerId: number, name: string, days: number): Promise<void> {
  const companyId = await buildCompany(portal.database, { providerId });
  const id = await buildOrganization(portal.database, { providerId, companyId, name });
  await execute(
    portal.database,
    sql`insert into m365_applications (provider_id, organization_id, application_id, purpose, name, credentials, certificate_expires_at, created_at)
        values (${providerId}, ${id}, gen_random_uuid(), 'restore', 'Restore', '\\x00', ${inDays(days)}, ${TEST_NOW})`,
  );
}

describe('GET admin/dashboard', () => {
  it('200: counts what the provider has, and names certificates that expire, the first one first', async () => {
    await buildExpiring(1, 'Expired', -2);
    await buildExpiring(1, 'Soon', 29);
    await buildExpiring(1, 'Later', 31);
    await buildExpiring(2, 'Foreign', 1);
    for (const health of ['ok', 'failing', null]) {
      const id = await buildSource(portal.database);
      await execute(portal.database, sql`update connections set health = ${health} where id = ${id}`);
    }
    const id = await buildSource(portal.database);
    await execute(portal.database, sql`update connections set is_enabled = false, health = 'failing' where id = ${id}`);
    const { data } = await (await portal.as('super-admin')).call(getAdminDashboard, {});
    expect(data).toMatchObject({
      brands: 2,
      companies: 3,
      connections: { works: 1, failing: 1, untested: 1, off: 1 },
    });
    expect(data.certificates.map(({ organizationName }) => organizationName)).toEqual(['Expired', 'Soon']);
  });

  it('200: says how the installation is to those who run it', async () => {
    const worker = { id: '00000000-0000-4000-8000-000000000001', name: 'w1', version: '1', pool: null, capacity: 4 };
    await reportWorker(portal.database, worker, 2);
    const { installation } = (await (await portal.as('super-admin')).call(getAdminDashboard, {})).data;
    expect(installation).toMatchObject({
      queue: FIGURES,
      workers: [{ name: 'w1', isOnline: true, running: 2, capacity: 4 }],
      versions: { portal: '2.2.14', node: process.versions.node, database: expect.stringMatching(/^\d+(\.\d+)?$/) },
    });
    expect(installation?.storage.databaseBytes).toBeGreaterThan(1_000_000);
  });

  it('200: says nothing of the installation or of other providers to those who look after one', async () => {
    const other = await portal.as('super-admin', { providerId: 2 });
    const { data } = await other.call(getAdminDashboard, {});
    expect(data).toMatchObject({ brands: 1, companies: 1, installation: null });
    expect(data.certificates.map(({ organizationName }) => organizationName)).toEqual(['Foreign']);
  });

  it('403: is not for users who are limited to companies', async () => {
    const limited = await portal.as('super-admin', { companyIds: [await buildCompany(portal.database)] });
    expect((await limited.send(getAdminDashboard, {})).status).toBe(403);
  });
});

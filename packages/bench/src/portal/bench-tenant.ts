import { blankUser } from '@keepwatch/sandbox/microsoft365/directory/build-directory';
import { type RunningTenant, startTenant } from '@keepwatch/sandbox/microsoft365/server';
import { Site } from '@keepwatch/sandbox/microsoft365/sites/site';

export const USERS = 2_000;
export const SITES = 50_000;

/**
 * Tenants with many users and sites, the same in each. They are in the process of the benchmark: what they take to answer counts as the
 * portal's.
 */
export async function startWideTenants(tenants: number): Promise<RunningTenant> {
  const running = await startTenant({ size: 'empty', budgets: false, tenants });
  const { hostname } = running.tenant.sites;
  const users = Array.from({ length: USERS }, (_, number) => userNumber(running.tenant, number));
  const sites = Array.from({ length: SITES }, (_, number) => siteNumber(number, hostname));
  for (const { tenant } of running.all) {
    for (const user of users) tenant.directory.putUser(user);
    for (const site of sites) tenant.sites.add(site);
  }
  return running;
}

function userNumber(tenant: RunningTenant['tenant'], number: number) {
  const name = `Person ${String(number).padStart(5, '0')}`;
  return blankUser(tenant, crypto.randomUUID(), `person${number}`, name);
}

function siteNumber(number: number, hostname: string): Site {
  const name = `project-${String(number).padStart(5, '0')}`;
  return new Site({
    hostname,
    siteId: crypto.randomUUID(),
    webId: crypto.randomUUID(),
    path: `/sites/${name}`,
    name,
    displayName: name.replace('-', ' '),
    description: '',
    createdMs: Date.UTC(2025, 0, 1),
    template: 'Team Site',
  });
}

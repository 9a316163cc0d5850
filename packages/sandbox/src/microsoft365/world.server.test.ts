import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type RunningTenant, startTenant } from './server.ts';
import { TenantClient } from './testing/tenant-client.ts';
import { textOf } from './wire/json.ts';

const now = () => new Date('2026-11-21T09:00:00Z');

/** Files, rows and messages of a tenant, as a client reads them, without addresses of the server. */
async function worldOf(tenant: RunningTenant): Promise<string> {
  const client = await TenantClient.signIn(tenant);
  const paths = [`/users/ada.lindqvist@${tenant.domain}/drive/root/delta`, '/sites/getAllSites()', '/teams'];
  const site = '/sites/contoso.sharepoint.com:/sites/intranet:';
  paths.push(`${site}/lists/Inventory/items?$expand=fields`, `${site}/pages?$expand=canvasLayout`);
  for (const { id } of (await client.drain('/teams')).value) paths.push(`/teams/${textOf(id)}/channels/getAllMessages`);
  const parts = await Promise.all(paths.map(async (path) => JSON.stringify((await client.drain(path)).value)));
  return parts
    .join('\n')
    .replaceAll(tenant.url, '')
    .replace(/tempauth=[^"]*/g, '');
}

test('the same seed and steps give the same files, sites and messages; another seed gives others', async () => {
  const tenants = await Promise.all([1, 1, 2].map((seed) => startTenant({ seed, now })));
  try {
    for (const tenant of tenants) tenant.evolve(100);
    const [one, other, third] = await Promise.all(tenants.map(worldOf));
    expect(one).toBe(other);
    expect(one).not.toBe(third);
  } finally {
    await Promise.all(tenants.map((tenant) => tenant.stop()));
  }
});

test('time changes files, sites and messages in the same way, in one step or many, whatever is read in between', async () => {
  const [atOnce, inSteps, watched] = await Promise.all([
    startTenant({ now }),
    startTenant({ now }),
    startTenant({ now }),
  ]);
  try {
    atOnce.evolve(120);
    for (const steps of [7, 0, 113]) inSteps.evolve(steps);
    const before = await worldOf(watched);
    watched.evolve(120);
    const world = await worldOf(atOnce);
    expect(world).not.toBe(before);
    expect(await worldOf(inSteps)).toBe(world);
    expect(await worldOf(watched)).toBe(world);
  } finally {
    await Promise.all([atOnce, inSteps, watched].map((tenant) => tenant.stop()));
  }
});

test('a tenant of every size has its drives, sites and teams, and the empty one the root site alone', async () => {
  for (const [size, sites, teams] of [
    ['empty', 1, 0],
    ['medium', 50, 4],
  ] as const) {
    const tenant = await startTenant({ size, now });
    try {
      const client = await TenantClient.signIn(tenant);
      expect((await client.drain('/sites/getAllSites()')).value.length).toBeGreaterThanOrEqual(sites);
      expect((await client.drain('/teams')).value.length).toBeGreaterThanOrEqual(teams);
    } finally {
      await tenant.stop();
    }
  }
});

test('what was spilled to disk is gone when the tenant stops', async () => {
  const tenant = await startTenant({ now });
  const client = await TenantClient.signIn(tenant);
  const { contents } = tenant.tenant.drives;
  const drive = `/users/ada.lindqvist@${tenant.domain}/drive`;
  for (const name of ['one', 'two']) {
    const { status } = await client.ask('PUT', `${drive}/root:/${name}.bin:/content`, Buffer.alloc(40 << 20, name));
    expect(status).toBe(201);
  }
  const folder = contents.spillFolder ?? '';
  expect(existsSync(folder)).toBe(true);
  await tenant.stop();
  expect(existsSync(folder)).toBe(false);
});

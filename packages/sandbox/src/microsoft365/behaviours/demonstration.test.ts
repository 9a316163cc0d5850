import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../server.ts';
import { TenantClient } from '../testing/tenant-client.ts';
import { behaveAsRealTenants } from './demonstration.ts';

let tenant: RunningTenant;
let client: TenantClient;

beforeAll(async () => {
  tenant = await startTenant();
  behaveAsRealTenants(tenant.tenant);
  client = await TenantClient.signIn(tenant);
});
afterAll(() => tenant.stop());

test('a demonstration has a site that is locked, one that moved and a mailbox that is closed, and most others are open', async () => {
  const statusOf = async (path: string) => (await client.get(path)).status;
  const sites = await Promise.all(tenant.tenant.sites.all().map(({ id }) => statusOf(`/sites/${id}`)));
  for (const refused of [423, 403, 301]) expect(sites.filter((status) => status === refused).length).toBe(1);
  expect(sites.filter((status) => status === 200).length).toBeGreaterThan(sites.length / 2);
  const users = tenant.tenant.directory.users.filter(({ mailbox }) => mailbox !== null);
  const inboxes: number[] = [];
  for (const { id } of users) inboxes.push(await statusOf(`/users/${id}/mailFolders/inbox`));
  expect(inboxes.filter((status) => status === 403).length).toBe(1);
});

test('most behaviours are on, and those alone are off that would end every backup, or make all of it again', () => {
  const off = Object.entries(tenant.tenant.behaviours).filter(([, where]) => where === false);
  expect(off.map(([name]) => name).sort()).toEqual([
    'blockedApplications',
    'claimsChallenges',
    'endlessDeltas',
    'expiredSkipTokens',
    'missingTombstones',
    'remadeFolders',
  ]);
});

test('a search folder says what it is, among the folders of a person', async () => {
  const user = tenant.tenant.directory.users.find(({ mailbox }) => mailbox !== null);
  const { value } = await client.drain(`/users/${user?.id}/mailFolders/delta?$select=id`);
  expect(value.filter((folder) => folder['@odata.type'] === '#microsoft.graph.mailSearchFolder')).toHaveLength(1);
});

test('a deleted folder is named alone, and a delta without its end has no link', async () => {
  const drive = [...tenant.tenant.drives.all()].find((one) =>
    [...one.all()].some(({ kind, parent }) => kind === 'folder' && parent !== undefined),
  );
  if (drive === undefined) throw new Error('No drive has a folder.');
  const path = `/drives/${drive.facts.id}/root/delta`;
  const { deltaLink = '' } = await client.drain(path);
  const folder = [...drive.all()].find((item) => item.kind === 'folder' && item.parent === drive.root);
  if (folder === undefined) throw new Error('The drive has no folder.');
  drive.remove(folder);
  const removed = (await client.drain(deltaLink)).value.filter((item) => 'deleted' in item);
  expect(removed.map(({ id }) => id)).toEqual([folder.id]);
  tenant.tenant.behaviours.endlessDeltas = true;
  expect((await client.drain(deltaLink)).deltaLink).toBeUndefined();
});

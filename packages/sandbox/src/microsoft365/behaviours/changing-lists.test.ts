import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../server.ts';
import { Site } from '../sites/site.ts';
import { TenantClient } from '../testing/tenant-client.ts';

let tenant: RunningTenant;
let client: TenantClient;

beforeAll(async () => {
  tenant = await startTenant({ budgets: false });
  client = await TenantClient.signIn(tenant);
});
afterAll(() => tenant.stop());

const idsOf = async (path: string) => (await client.drain(path)).value.map(({ id }) => String(id));

test('a list shows the directory as it was a minute ago, and an id what is there now', async () => {
  const { behaviours, directory, nowMs } = tenant.tenant;
  behaviours.laggingLists = true;
  const [leaver] = directory.users.filter(({ mailbox }) => mailbox !== null);
  if (leaver === undefined) throw new Error('The tenant has no user.');
  const newcomer = { ...leaver, id: tenant.tenant.newId(), userPrincipalName: 'new@x', createdMs: nowMs() };
  directory.putUser(newcomer);
  directory.putUser({ ...leaver, deletedMs: nowMs() });
  const listed = await idsOf('/users?$select=id');
  expect([listed.includes(newcomer.id), listed.includes(leaver.id)]).toEqual([false, true]);
  expect((await client.get(`/users/${newcomer.id}`)).status).toBe(200);
  expect((await client.get(`/users/${leaver.id}`)).status).toBe(404);
  tenant.advance(61_000);
  const later = await idsOf('/users?$select=id');
  expect([later.includes(newcomer.id), later.includes(leaver.id)]).toEqual([true, false]);
});

test('a list shows the sites as they were a minute ago, and an id what is there now', async () => {
  const { sites, nowMs } = tenant.tenant;
  tenant.tenant.behaviours.laggingLists = true;
  const [known, leaving] = sites.all().filter(({ facts, parent }) => facts.path !== '' && parent === undefined);
  if (known === undefined || leaving === undefined) throw new Error('The tenant has too few sites.');
  const made = new Site({
    ...known.facts,
    siteId: tenant.tenant.newId(),
    webId: tenant.tenant.newId(),
    path: '/sites/new',
    createdMs: nowMs(),
  });
  sites.add(made);
  sites.remove(leaving, nowMs());
  const listed = await idsOf('/sites/getAllSites');
  expect([listed.includes(made.id), listed.includes(leaving.id)]).toEqual([false, true]);
  expect((await client.get(`/sites/${made.id}`)).status).toBe(200);
  expect((await client.get(`/sites/${leaving.id}`)).status).toBe(404);
  tenant.advance(61_000);
  const later = await idsOf('/sites/getAllSites');
  expect([later.includes(made.id), later.includes(leaving.id)]).toEqual([true, false]);
});

test('sites of another geography come on pages of their own, after an empty one', async () => {
  const before = await idsOf('/sites/getAllSites');
  tenant.tenant.behaviours.satelliteSites = true;
  const { value, pages } = await client.drain('/sites/getAllSites');
  const others = value.filter(({ id }) => !before.includes(String(id)));
  expect(pages).toBe(3);
  expect(value).toHaveLength(before.length + 2);
  for (const site of others) {
    expect(site).toMatchObject({ siteCollection: { hostname: 'contoso-apc.sharepoint.com', dataLocationCode: 'APC' } });
    expect((await client.get(`/sites/${String(site['id'])}`)).status).toBe(200);
  }
  const root = await client.get('/sites/root');
  expect(root.body).toMatchObject({ siteCollection: { hostname: 'contoso.sharepoint.com' } });
  expect((await client.get('/sites/contoso-apc.sharepoint.com:/sites/sydney')).status).toBe(200);
});

test('a mail folder is deleted after the first page of a round, and there is another of its name after the second', async () => {
  const [user] = tenant.tenant.directory.users.filter(({ mailbox }) => mailbox !== null);
  const path = `/users/${user?.id}/mailFolders/delta`;
  const before = new Map((await client.drain(path)).value.map(({ id, displayName }) => [id, displayName]));
  tenant.tenant.behaviours.remadeFolders = [user?.id ?? ''];
  const { value, pages } = await client.drain(path);
  const gone = value.filter((folder) => '@removed' in folder);
  const made = value.filter(({ id }) => !before.has(id));
  expect(pages).toBeGreaterThan(2);
  expect(made.map(({ displayName }) => displayName)).toEqual(gone.map(({ id }) => before.get(id)));
  expect(made).toHaveLength(1);
});

test('a folder of a drive is deleted after the first page, and comes back under its id after the second', async () => {
  const [drive] = [...tenant.tenant.drives.all()].filter((one) =>
    [...one.all()].some(({ kind, children }) => kind === 'folder' && children.size > 0),
  );
  if (drive === undefined) throw new Error('No drive has a folder.');
  const before = [...drive.all()].map(({ id }) => id).sort();
  tenant.tenant.behaviours.remadeFolders = [drive.facts.id];
  const { value, pages } = await client.drain(`/drives/${drive.facts.id}/root/delta`);
  expect(pages).toBeGreaterThan(2);
  expect(value.some((item) => 'deleted' in item)).toBe(true);
  const last = new Map(value.map((item) => [String(item['id']), item]));
  const left = [...last.values()].filter((item) => !('deleted' in item) && !('root' in item));
  expect(left.map(({ id }) => String(id)).sort()).toEqual(before);
});

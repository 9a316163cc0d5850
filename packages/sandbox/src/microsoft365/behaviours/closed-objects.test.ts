import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../server.ts';
import { signedInAs } from '../testing/sign-in.ts';
import { TenantClient } from '../testing/tenant-client.ts';
import { valueAt } from '../wire/json.ts';

let tenant: RunningTenant;
let client: TenantClient;

beforeAll(async () => {
  tenant = await startTenant();
  client = await TenantClient.signIn(tenant);
});
afterAll(() => tenant.stop());

const set = (behaviours: object) =>
  fetch(`${tenant.url}/__sandbox/settings`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ behaviours }),
  });

const answerTo = async (path: string) => {
  const { status, body } = await client.get(path);
  return [status, valueAt(valueAt(body, 'error'), 'code')];
};

test('sites that are locked, archived or moved refuse every call about them and their drives, and no other', async () => {
  const sites = tenant.tenant.sites
    .all()
    .filter(({ defaultLibrary, parent }) => defaultLibrary !== undefined && parent === undefined);
  const [locked, archived, moved, open] = sites.map(({ id }) => id);
  await set({ lockedSites: [locked], archivedSites: [archived], redirectedSites: [moved] });
  const drive = sites[0]?.defaultLibrary?.drive?.facts.id;
  for (const path of [`/sites/${locked}`, `/sites/${locked}/lists`, `/drives/${drive}/root/delta`])
    expect(await answerTo(path)).toEqual([423, 'resourceLocked']);
  expect(await answerTo(`/sites/${archived}/drives`)).toEqual([403, 'accessDenied']);
  expect((await client.get(`/sites/${moved}/lists`)).status).toBe(301);
  expect((await client.get(`/sites/${open}/drives`)).status).toBe(200);
  expect((await client.drain('/sites/getAllSites')).value.length).toBeGreaterThanOrEqual(sites.length);
});

test('an access policy closes a mailbox to applications, by each of its names', async () => {
  const { users } = tenant.tenant.directory;
  const [closed, open] = users.filter(({ mailbox }) => mailbox !== null);
  tenant.tenant.behaviours.closedMailboxes = [closed?.id ?? ''];
  for (const name of [closed?.id, closed?.userPrincipalName])
    expect(await answerTo(`/users/${name}/mailFolders/inbox`)).toEqual([403, 'ErrorAccessDenied']);
  expect((await client.get(`/users/${open?.id}/mailFolders/inbox`)).status).toBe(200);
});

test('a read-only site and a full mailbox are read, and refuse what would change the one and add to the other', async () => {
  const [site] = tenant.tenant.sites.all().filter(({ defaultLibrary }) => defaultLibrary !== undefined);
  const [user] = tenant.tenant.directory.users.filter(({ mailbox }) => mailbox !== null);
  await set({ lockedSites: false, closedMailboxes: false, readOnlySites: [site?.id], fullMailboxes: [user?.id] });
  const drive = `/drives/${site?.defaultLibrary?.drive?.facts.id}`;
  expect((await client.get(`${drive}/root/children`)).status).toBe(200);
  expect((await client.ask('POST', `${drive}/root/children`, { name: 'New', folder: {} })).status).toBe(423);
  const folders = `/users/${user?.userPrincipalName}/mailFolders`;
  expect((await client.get(folders)).status).toBe(200);
  expect((await client.ask('POST', folders, { displayName: 'New' })).status).toBe(507);
  await set({ readOnlySites: false, fullMailboxes: false });
  expect((await client.ask('POST', folders, { displayName: 'New' })).status).toBe(201);
});

test('refuses an unknown behaviour and lists the known ones', async () => {
  const refused = await set({ lostSites: true });
  expect([refused.status, await refused.text()]).toEqual([400, expect.stringMatching(/lostSites.*lockedSites/)]);
});

test('refuses ids for what is of the whole tenant, instead of switching it on for everything', async () => {
  const refused = await set({ missingTombstones: ['an id'] });
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringMatching(/missingTombstones.*whole tenant/),
  ]);
});

test('who signs in reaches the own mailbox, and those that are shared by a scope for what is shared', async () => {
  const { users } = tenant.tenant.directory;
  const [own, other] = users.filter(({ mailbox }) => mailbox !== null);
  const name = own?.userPrincipalName ?? '';
  const [alone, shared] = [
    await signedInAs(tenant, name, 'Mail.Read'),
    await signedInAs(tenant, name, 'Mail.Read.Shared'),
  ];
  const statusOf = async (person: TenantClient, user: string | undefined) =>
    (await person.get(`/users/${user}/mailFolders`)).status;
  expect([await statusOf(alone, own?.id), await statusOf(shared, own?.id)]).toEqual([200, 200]);
  expect([await statusOf(alone, other?.id), await statusOf(shared, other?.id)]).toEqual([403, 403]);
  tenant.tenant.mailboxShares.set(other?.id ?? '', new Set([own?.id ?? '']));
  expect([await statusOf(alone, other?.id), await statusOf(shared, other?.userPrincipalName)]).toEqual([403, 200]);
  tenant.tenant.behaviours.sharedScopes = false;
  expect(await statusOf(alone, other?.id)).toBe(200);
});

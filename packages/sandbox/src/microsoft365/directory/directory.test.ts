import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../server.ts';
import { TenantClient } from '../testing/tenant-client.ts';
import { objectsOf, valueAt } from '../wire/json.ts';

let tenant: RunningTenant;
let client: TenantClient;

beforeAll(async () => {
  tenant = await startTenant({ size: 'medium', now: () => new Date('2026-11-21T09:00:00Z') });
  client = await TenantClient.signIn(tenant);
});
afterAll(() => tenant.stop());

test('users come in pages, with the vendor’s few properties unless more are selected', async () => {
  const { value, pages } = await client.drain('/users?$top=20');
  expect(new Set(value.map(({ id }) => id)).size).toBe(tenant.tenant.directory.users.length);
  expect(pages).toBe(Math.ceil(value.length / 20));
  expect(value[0]).not.toHaveProperty('accountEnabled');
  const selected = await client.get('/users?$select=accountEnabled,assignedLicenses&$top=1');
  expect(Object.keys(objectsOf(valueAt(selected.body, 'value'))[0] ?? {})).toEqual([
    'accountEnabled',
    'assignedLicenses',
  ]);
});

test('finds a user by id and by sign-in name, and no unknown one', async () => {
  const [user] = tenant.tenant.directory.users;
  for (const name of [`/${user?.id}`, `/${user?.userPrincipalName}`, `('${user?.id}')`]) {
    expect((await client.get(`/users${name}`)).body).toMatchObject({ id: user?.id });
  }
  expect(await client.get('/users/unknown')).toMatchObject({
    status: 404,
    body: { error: { code: 'Request_ResourceNotFound' } },
  });
});

test('a user without a mailbox has none', async () => {
  const answer = await client.get(`/users/admin@${tenant.domain}/messages`);
  expect(answer).toMatchObject({ status: 404, body: { error: { code: 'MailboxNotEnabledForRESTAPI' } } });
});

test('a filter distinguishes teams from other groups', async () => {
  const { value } = await client.drain("/groups?$filter=resourceProvisioningOptions/Any(x:x eq 'Team')");
  expect(value.length).toBe(tenant.tenant.directory.groups.filter(({ hasTeam }) => hasTeam).length);
  const members = await client.drain(`/groups/${value[0]?.['id']}/members`);
  expect(members.value[0]).toMatchObject({ '@odata.type': '#microsoft.graph.user' });
});

test('an advanced query has to say that it can wait', async () => {
  const path = '/users?$search="displayName:ada"';
  expect((await client.get(path)).status).toBe(400);
  expect((await client.get(path, { consistencylevel: 'eventual' })).status).toBe(200);
});

test('delta of users reports new, changed and deleted users, and no groups', async () => {
  const { directory } = tenant.tenant;
  const first = await client.drain('/users/delta?$select=displayName');
  expect(first.value.length).toBe(directory.users.length);
  const [changed, deleted] = directory.users;
  const [group] = directory.groups;
  if (!changed || !deleted || !group) throw new Error('The world lacks users or groups');
  directory.putUser({ ...changed, displayName: 'Changed' });
  directory.putUser({ ...deleted, deletedMs: Date.parse('2026-11-21T09:00:00Z') });
  directory.putGroup({ ...group, displayName: 'Renamed' });
  const next = await client.drain(first.deltaLink ?? '');
  expect(next.value).toEqual([
    { id: changed.id, displayName: 'Changed' },
    { id: deleted.id, '@removed': { reason: 'changed' } },
  ]);
});

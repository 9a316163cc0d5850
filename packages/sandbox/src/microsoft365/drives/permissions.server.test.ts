import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../server.ts';
import { TenantClient } from '../testing/tenant-client.ts';
import { objectsOf, textOf, valueAt } from '../wire/json.ts';

let tenant: RunningTenant;
let client: TenantClient;
let drive: string;
let item: string;

beforeAll(async () => {
  tenant = await startTenant({ now: () => new Date('2026-11-21T09:00:00Z') });
  client = await TenantClient.signIn(tenant);
  const { body } = await client.get(`/users/ada.lindqvist@${tenant.domain}/drive`);
  drive = `/drives/${textOf(valueAt(body, 'id'))}`;
  const made = await client.ask('PUT', `${drive}/root:/Shared/plan.txt:/content`, 'plan');
  item = `${drive}/items/${textOf(valueAt(made.body, 'id'))}`;
});
afterAll(() => tenant.stop());

const permissions = async (path = item) => objectsOf(valueAt((await client.get(`${path}/permissions`)).body, 'value'));

test('an item inherits the permissions of its library, and says where they are from', async () => {
  expect(await permissions()).toMatchObject([
    {
      roles: ['owner'],
      grantedToV2: { user: { displayName: 'Ada Lindqvist' } },
      inheritedFrom: { path: expect.stringContaining('root:') },
    },
  ]);
});

test('an invited user has a separate permission that can be changed and removed', async () => {
  const recipients = [{ email: `umit.yildirim@${tenant.domain}` }, { email: 'guest@elsewhere.example' }];
  const invitation = { recipients, roles: ['read'], requireSignIn: true, sendInvitation: false };
  const { status, body } = await client.ask('POST', `${item}/invite`, invitation);
  expect(status).toBe(200);
  const [member, guest] = objectsOf(valueAt(body, 'value'));
  expect(member).toMatchObject({ roles: ['read'], grantedToV2: { user: { displayName: 'Ümit Yıldırım' } } });
  expect(guest).toMatchObject({ invitation: { email: 'guest@elsewhere.example', signInRequired: true } });
  const path = `${item}/permissions/${textOf(member?.['id'])}`;
  expect(await client.ask('PATCH', path, { roles: ['write'] })).toMatchObject({
    status: 200,
    body: { roles: ['write'] },
  });
  expect((await client.ask('DELETE', path)).status).toBe(204);
  expect((await client.get(path)).status).toBe(404);
});

test('an item is granted to a group of the directory by its id', async () => {
  const group = (await client.drain('/groups')).value[0];
  const grantedToV2 = { group: { id: textOf(group?.['id']) } };
  const made = await client.ask('POST', `${item}/permissions`, { roles: ['read'], grantedToV2 });
  expect(made).toMatchObject({ status: 201, body: { roles: ['read'], grantedToV2 } });
  expect((await client.ask('POST', `${item}/permissions`, { roles: ['read'] })).status).toBe(400);
});

test('a link is made once for its type and scope', async () => {
  const link = { type: 'edit', scope: 'organization' };
  const first = await client.ask('POST', `${item}/createLink`, link);
  const again = await client.ask('POST', `${item}/createLink`, link);
  expect([first.status, again.status]).toEqual([201, 200]);
  expect(again.body).toMatchObject({ id: valueAt(first.body, 'id'), roles: ['write'], link });
  expect((await client.ask('POST', `${item}/createLink`, { type: 'dance' })).status).toBe(400);
});

test('what is inherited is changed where it is set; without inheritance only owners stay', async () => {
  const folder = `${drive}/root:/Shared:`;
  const recipients = [{ email: `misaki.tanaka@${tenant.domain}` }];
  await client.ask('POST', `${folder}/invite`, { recipients, roles: ['write'] });
  const inherited = (await permissions()).find(
    ({ inheritedFrom, roles }) => inheritedFrom && JSON.stringify(roles) === '["write"]',
  );
  expect((await client.ask('DELETE', `${item}/permissions/${textOf(inherited?.['id'])}`)).status).toBe(400);
  const alone = {
    recipients: [{ email: `umit.yildirim@${tenant.domain}` }],
    roles: ['read'],
    retainInheritedPermissions: false,
  };
  await client.ask('POST', `${item}/invite`, alone);
  expect((await permissions()).some(({ inheritedFrom }) => inheritedFrom)).toBe(false);
  expect((await permissions()).some(({ roles }) => JSON.stringify(roles) === '["owner"]')).toBe(true);
});

test('a new permission shows in the changes of the drive', async () => {
  const link = textOf(valueAt((await client.get(`${drive}/root/delta?token=latest`)).body, '@odata.deltaLink')) ?? '';
  await client.ask('POST', `${item}/createLink`, { type: 'view', scope: 'anonymous' });
  const { value } = await client.drain(link);
  expect(value.at(-1)).toMatchObject({ name: 'plan.txt', shared: { scope: 'users' } });
});

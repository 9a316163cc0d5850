import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../server.ts';
import { TenantClient } from '../testing/tenant-client.ts';
import { objectsOf, textOf, valueAt } from '../wire/json.ts';

let tenant: RunningTenant;
let client: TenantClient;
let team: string;
let channel: string;
let owner: string;

beforeAll(async () => {
  tenant = await startTenant({ now: () => new Date('2026-11-21T09:00:00Z') });
  client = await TenantClient.signIn(tenant);
  team = `/teams/${idOf((await client.drain('/teams')).value[0])}`;
  channel = `${team}/channels/${idOf((await client.drain(`${team}/channels`)).value[0])}`;
  owner = idOf((await client.drain('/users')).value.find(({ mail }) => textOf(mail)?.startsWith('ada')));
});
afterAll(() => tenant.stop());

const idOf = (body: unknown) => textOf(valueAt(body, 'id')) ?? '';
const ownerMember = () => ({
  '@odata.type': '#microsoft.graph.aadUserConversationMember',
  roles: ['owner'],
  'user@odata.bind': `https://graph.microsoft.com/v1.0/users('${owner}')`,
});

test('every group that is provisioned as a team has one, and no other', async () => {
  const groups = (await client.drain('/groups')).value;
  const provisioned = groups.filter(
    ({ resourceProvisioningOptions }) =>
      Array.isArray(resourceProvisioningOptions) && resourceProvisioningOptions.includes('Team'),
  );
  expect((await client.drain('/teams')).value.map(idOf)).toEqual(provisioned.map(idOf));
  const other = groups.find((group) => !provisioned.includes(group));
  expect((await client.get(`/teams/${idOf(other)}`)).status).toBe(404);
});

test('channels are standard, private and shared; the latter two have members and a library of their own', async () => {
  const channels = (await client.drain(`${team}/allChannels`)).value;
  const drives = new Map<string, string>();
  for (const one of channels) {
    const { body } = await client.get(`${team}/channels/${idOf(one)}/filesFolder`);
    drives.set(
      String(one['membershipType']) + String(one['displayName']),
      textOf(valueAt(body, 'parentReference/driveId')) ?? '',
    );
    expect(valueAt(body, 'name')).toBe(one['displayName']);
  }
  expect(new Set(channels.map(({ membershipType }) => membershipType))).toEqual(
    new Set(['standard', 'private', 'shared']),
  );
  expect(new Set(drives.values()).size).toBe(3);
  const secret = channels.find(({ membershipType }) => membershipType === 'private');
  const members = (await client.drain(`${team}/channels/${idOf(secret)}/members`)).value;
  expect(members.length).toBeLessThan((await client.drain(`${team}/members`)).value.length);
});

test('posts come without replies, replies and pictures under their post, and everything at once on export', async () => {
  const posts = (await client.drain(`${channel}/messages?$top=10`)).value;
  expect(posts.every(({ replyToId }) => replyToId === null)).toBe(true);
  let replies = 0;
  for (const post of posts) replies += (await client.drain(`${channel}/messages/${idOf(post)}/replies`)).value.length;
  const all = (await client.drain(`${team}/channels/getAllMessages`)).value;
  const here = all.filter((message) => channel.endsWith(String(valueAt(message, 'channelIdentity/channelId'))));
  expect(here.length).toBe(posts.length + replies);
  expect(posts.some(({ mentions }) => Array.isArray(mentions) && mentions.length > 0)).toBe(true);
  expect(posts.some(({ reactions }) => Array.isArray(reactions) && reactions.length > 0)).toBe(true);
  const deleted = posts.find(({ deletedDateTime }) => deletedDateTime !== null);
  expect(deleted).toMatchObject({ body: { content: '' } });
  const picture = posts.find((post) => String(valueAt(post, 'body/content')).includes('hostedContents'));
  const value = await client.get(`${channel}/messages/${idOf(picture)}/hostedContents/1/$value`);
  expect([value.status, value.headers.get('content-type'), value.bytes.subarray(1, 4).toString()]).toEqual([
    200,
    'image/png',
    'PNG',
  ]);
});

test('a delta reports new, edited and deleted messages, and posts with new replies', async () => {
  let { deltaLink } = await client.drain(`${channel}/messages/delta`);
  const seen = new Set<string>();
  for (let round = 0; round < 20; round += 1) {
    tenant.advance(60_000);
    tenant.evolve(40);
    const next = await client.drain(deltaLink ?? '');
    deltaLink = next.deltaLink;
    for (const message of next.value) {
      if (message['deletedDateTime'] !== null) seen.add('deleted');
      else if (message['lastEditedDateTime'] !== null) seen.add('edited');
      else seen.add('other');
    }
  }
  expect(seen).toEqual(new Set(['deleted', 'edited', 'other']));
});

test('tabs keep their configuration and apps are installed once', async () => {
  const configuration = {
    entityId: null,
    contentUrl: 'https://a.example/ä',
    websiteUrl: 'https://a.example',
    removeUrl: null,
  };
  const bind = {
    'teamsApp@odata.bind': 'https://graph.microsoft.com/v1.0/appCatalogs/teamsApps/com.microsoft.teamspace.tab.web',
  };
  const made = await client.ask('POST', `${channel}/tabs`, { displayName: 'Seite', configuration, ...bind });
  expect(made).toMatchObject({ status: 201, body: { displayName: 'Seite', configuration } });
  expect(await client.ask('PATCH', `${channel}/tabs/${idOf(made.body)}`, { displayName: 'Neu' })).toMatchObject({
    body: { displayName: 'Neu', configuration },
  });
  expect((await client.ask('DELETE', `${channel}/tabs/${idOf(made.body)}`)).status).toBe(204);
  expect((await client.ask('POST', `${team}/installedApps`, bind)).status).toBe(409);
});

test('a team is made in the background, with its group, site and General channel', async () => {
  const template = { 'template@odata.bind': "https://graph.microsoft.com/v1.0/teamsTemplates('standard')" };
  expect((await client.ask('POST', '/teams', { ...template, displayName: 'Ownerless' })).status).toBe(400);
  const channels = [{ displayName: 'Extra' }];
  const { status, headers } = await client.ask('POST', '/teams', {
    ...template,
    displayName: 'Restored',
    members: [ownerMember()],
    channels,
  });
  expect(status).toBe(202);
  const operation = headers.get('location') ?? '';
  expect((await client.get(operation)).body).toMatchObject({ status: 'inProgress' });
  expect((await client.get(operation)).body).toMatchObject({ status: 'succeeded' });
  const path = headers.get('content-location') ?? '';
  expect((await client.drain(`${path}/channels`)).value.map(({ displayName }) => displayName)).toEqual([
    'General',
    'Extra',
  ]);
  const id = idOf((await client.get(path)).body);
  expect((await client.get(`/groups/${id}`)).body).toMatchObject({ resourceProvisioningOptions: ['Team'] });
  expect((await client.get(`/groups/${id}/drive/root`)).status).toBe(200);
});

test('an application posts only in migration mode, and then in the name and at the time of the author', async () => {
  const message = {
    createdDateTime: '2024-05-06T07:08:09.123Z',
    from: { user: { id: owner, displayName: 'x', userIdentityType: 'aadUser' } },
    body: { contentType: 'html', content: 'alt' },
  };
  expect(await client.ask('POST', `${channel}/messages`, message)).toMatchObject({
    status: 403,
    body: { error: { message: expect.stringContaining('import purposes') } },
  });
  expect(
    (await client.ask('POST', `${channel}/startMigration`, { conversationCreationDateTime: '2024-01-01T00:00:00Z' }))
      .status,
  ).toBe(204);
  expect((await client.ask('POST', `${channel}/startMigration`)).status).toBe(400);
  const posted = await client.ask('POST', `${channel}/messages`, message);
  expect(posted).toMatchObject({
    status: 201,
    body: { createdDateTime: '2024-05-06T07:08:09.123Z', from: { user: { id: owner, displayName: 'Ada Lindqvist' } } },
  });
  expect((await client.ask('POST', `${channel}/messages`, message)).status).toBe(409);
  const early = { ...message, createdDateTime: '2023-12-31T00:00:00Z' };
  expect((await client.ask('POST', `${channel}/messages`, early)).status).toBe(400);
  const reply = { ...message, createdDateTime: '2024-05-06T08:00:00Z' };
  expect(await client.ask('POST', `${channel}/messages/${idOf(posted.body)}/replies`, reply)).toMatchObject({
    status: 201,
    body: { replyToId: idOf(posted.body) },
  });
  expect((await client.ask('POST', `${channel}/completeMigration`)).status).toBe(204);
  expect((await client.get(channel)).body).toMatchObject({
    migrationMode: 'completed',
    createdDateTime: '2024-01-01T00:00:00.000Z',
  });
  expect(
    (await client.ask('POST', `${channel}/messages`, { ...message, createdDateTime: '2024-06-06T00:00:00Z' })).status,
  ).toBe(403);
});

test('pictures come along with an imported message', async () => {
  const { headers } = await client.ask('POST', '/teams', {
    'template@odata.bind': "https://graph.microsoft.com/v1.0/teamsTemplates('standard')",
    '@microsoft.graph.teamCreationMode': 'migration',
    displayName: 'Imported',
    createdDateTime: '2020-01-01T00:00:00Z',
  });
  const path = headers.get('content-location') ?? '';
  const made = await client.ask('POST', `${path}/channels`, {
    '@microsoft.graph.channelCreationMode': 'migration',
    displayName: 'Alt',
    createdDateTime: '2020-02-01T00:00:00Z',
  });
  expect(made).toMatchObject({
    status: 201,
    body: { migrationMode: 'inProgress', createdDateTime: '2020-02-01T00:00:00.000Z' },
  });
  const content = '<img src="../hostedContents/1/$value">';
  const hostedContents = [
    {
      '@microsoft.graph.temporaryId': '1',
      contentBytes: Buffer.from('png').toString('base64'),
      contentType: 'image/png',
    },
  ];
  const message = {
    createdDateTime: '2020-03-01T00:00:00Z',
    from: { user: { id: owner } },
    body: { contentType: 'html', content },
    hostedContents,
  };
  const channelPath = `${path}/channels/${idOf(made.body)}`;
  const posted = await client.ask('POST', `${channelPath}/messages`, message);
  const source = /src="([^"]+)"/.exec(String(valueAt(posted.body, 'body/content')))?.[1] ?? '';
  expect((await client.get(source)).bytes.toString()).toBe('png');
  expect((await client.ask('POST', `${path}/members`, ownerMember())).status).toBe(403);
  expect((await client.ask('POST', `${path}/completeMigration`)).status).toBe(400);
  expect((await client.ask('POST', `${channelPath}/completeMigration`)).status).toBe(204);
  expect((await client.ask('POST', `${path}/completeMigration`)).status).toBe(204);
  expect((await client.ask('POST', `${path}/members`, ownerMember())).status).toBe(201);
  expect(objectsOf(valueAt((await client.get(`${path}/members`)).body, 'value'))).toMatchObject([
    { roles: ['owner'], userId: owner },
  ]);
});

test('an archived team takes no channels', async () => {
  const second = `/teams/${idOf((await client.drain('/teams')).value[1])}`;
  expect((await client.ask('POST', `${second}/archive`)).status).toBe(202);
  expect((await client.get(second)).body).toMatchObject({ isArchived: true });
  expect((await client.ask('POST', `${second}/channels`, { displayName: 'Zu spät' })).status).toBe(403);
  await client.ask('POST', `${second}/unarchive`);
  expect((await client.ask('POST', `${second}/channels`, { displayName: 'Doch' })).status).toBe(201);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../server.ts';
import { TenantClient } from '../testing/tenant-client.ts';
import { objectsOf, textOf, valueAt } from '../wire/json.ts';

let tenant: RunningTenant;
let client: TenantClient;
let group = '';

beforeAll(async () => {
  tenant = await startTenant();
  client = await TenantClient.signIn(tenant);
  group = tenant.tenant.directory.groups.find(({ kind }) => kind === 'microsoft365')?.id ?? '';
});
afterAll(() => tenant.stop());

const listed = async (path: string) => objectsOf(valueAt((await client.get(path)).body, 'value'));

test('The threads of a group contain its posts with their authors, the same every time', async () => {
  const [thread] = await listed(`/groups/${group}/threads`);
  const posts = await listed(`/groups/${group}/threads/${textOf(thread?.['id'])}/posts`);
  expect(posts.length).toBeGreaterThan(0);
  for (const post of posts) expect(post).toMatchObject({ conversationThreadId: thread?.['id'], from: {}, body: {} });
  expect(await listed(`/groups/${group}/threads/${textOf(thread?.['id'])}/posts`)).toEqual(posts);
});

test('A group that is no Microsoft 365 group has no conversations', async () => {
  const other = tenant.tenant.directory.groups.find(({ kind }) => kind !== 'microsoft365');
  expect((await client.get(`/groups/${other?.id}/threads`)).status).toBe(404);
});

test('Calendars, attachments and writing are refused to an application, whatever permissions it has', async () => {
  const [thread] = tenant.tenant.groupThreads.of(group);
  const post = `/groups/${group}/threads/${thread?.id}/posts/${thread?.posts[0]?.id}`;
  for (const path of [`/groups/${group}/calendar/events`, `${post}/attachments`])
    expect((await client.get(path)).status).toBe(403);
});

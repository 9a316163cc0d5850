import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../server.ts';
import { TenantClient } from '../testing/tenant-client.ts';
import { textOf, valueAt } from '../wire/json.ts';

const immutable = { prefer: 'IdType="ImmutableId", odata.maxpagesize=25' };
let tenant: RunningTenant;
let client: TenantClient;
let base: string;

beforeAll(async () => {
  tenant = await startTenant({ size: 'small', budgets: false, now: () => new Date('2026-11-21T09:00:00Z') });
  client = await TenantClient.signIn(tenant);
  base = `/users/${tenant.tenant.directory.users.find(({ mailbox }) => mailbox)?.id}`;
});
afterAll(() => tenant.stop());

const inbox = () => `${base}/mailFolders/inbox/messages/delta`;

test('a first round gives every message once, the next nothing', async () => {
  const first = await client.drain(inbox(), immutable);
  const { body } = await client.get(`${base}/mailFolders/inbox`);
  expect(first.value.length).toBe(valueAt(body, 'totalItemCount'));
  expect(first.pages).toBe(Math.ceil(first.value.length / 25));
  expect(first.pages).toBeGreaterThan(1);
  expect((await client.drain(first.deltaLink ?? '', immutable)).value).toEqual([]);
});

test('a later round reports new, changed, moved and deleted messages by the ids of the caller', async () => {
  const first = await client.drain(`${inbox()}?$select=subject,isRead`, immutable);
  const [changed, moved, gone, gonePermanently] = first.value.map(({ id }) => String(id));
  await client.ask('PATCH', `${base}/messages/${changed}`, { isRead: false, categories: ['x'] }, immutable);
  await client.ask('POST', `${base}/messages/${moved}/move`, { destinationId: 'archive' }, immutable);
  await client.ask('DELETE', `${base}/messages/${gone}`, undefined, immutable);
  for (let step = 0; step < 3; step += 1) await client.ask('DELETE', `${base}/messages/${gonePermanently}`);
  const created = await client.ask('POST', `${base}/mailFolders/inbox/messages`, { subject: 'New' }, immutable);
  const next = await client.drain(first.deltaLink ?? '', immutable);
  expect(next.value).toEqual([
    expect.objectContaining({ id: changed, isRead: false }),
    expect.objectContaining({ id: moved, '@removed': { reason: 'changed' } }),
    expect.objectContaining({ id: gone, '@removed': { reason: 'changed' } }),
    expect.objectContaining({ id: gonePermanently, '@removed': { reason: 'deleted' } }),
    expect.objectContaining({ id: valueAt(created.body, 'id'), subject: 'New' }),
  ]);
  // What was selected at first stays selected.
  expect(next.value[0]).not.toHaveProperty('body');
});

test('what was moved away and back is reported with another usual id', async () => {
  const first = await client.drain(inbox());
  const id = String(first.value[0]?.['id']);
  const away = await client.ask('POST', `${base}/messages/${id}/move`, { destinationId: 'archive' });
  const path = `${base}/messages/${valueAt(away.body, 'id')}/move`;
  const back = await client.ask('POST', path, { destinationId: 'inbox' });
  const next = await client.drain(first.deltaLink ?? '');
  expect(next.value).toEqual([
    expect.objectContaining({ id, '@removed': { reason: 'changed' } }),
    expect.objectContaining({ id: valueAt(back.body, 'id') }),
  ]);
});

test('a change between two pages of the first round is not lost', async () => {
  const page = await client.get(inbox(), immutable);
  const last = await client.drain(inbox(), immutable);
  const late = String(last.value.at(-1)?.['id']);
  await client.ask('PATCH', `${base}/messages/${late}`, { importance: 'low' }, immutable);
  const rest = await client.drain(textOf(valueAt(page.body, '@odata.nextLink')) ?? '', immutable);
  expect(rest.value.filter(({ id }) => id === late)).toMatchObject([{ importance: 'low' }]);
});

test('reports folders with all below them, renamed and deleted ones too', async () => {
  const first = await client.drain(`${base}/mailFolders/delta`);
  const { body } = await client.ask('POST', `${base}/mailFolders/inbox/childFolders`, { displayName: 'Below' });
  const id = textOf(valueAt(body, 'id'));
  const second = await client.drain(first.deltaLink ?? '');
  expect(second.value.map((folder) => folder['id'])).toContain(id);
  await client.ask('PATCH', `${base}/mailFolders/${id}`, { displayName: 'Renamed' });
  const third = await client.drain(second.deltaLink ?? '');
  expect(third.value).toMatchObject([{ id, displayName: 'Renamed' }]);
  await client.ask('DELETE', `${base}/mailFolders/${id}`);
  const fourth = await client.drain(third.deltaLink ?? '');
  expect(fourth.value).toContainEqual({ id, '@removed': { reason: 'deleted' } });
});

test('a token of long ago is gone, a mangled one refused', async () => {
  const { deltaLink } = await client.drain(inbox());
  tenant.advance(40 * 86_400_000);
  const later = await TenantClient.signIn(tenant);
  expect(await later.get(deltaLink ?? '')).toMatchObject({
    status: 410,
    body: { error: { code: 'SyncStateNotFound' } },
  });
  expect((await later.get(`${inbox()}?$deltatoken=nonsense`)).status).toBe(400);
});

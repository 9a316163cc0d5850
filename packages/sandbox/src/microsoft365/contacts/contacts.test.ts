import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../server.ts';
import { TenantClient } from '../testing/tenant-client.ts';
import { valueAt } from '../wire/json.ts';

let tenant: RunningTenant;
let client: TenantClient;
let base: string;

beforeAll(async () => {
  tenant = await startTenant({ size: 'small', budgets: false, now: () => new Date('2026-11-21T09:00:00Z') });
  client = await TenantClient.signIn(tenant);
  base = `/users/${tenant.tenant.directory.users.find(({ mailbox }) => mailbox)?.id}`;
});
afterAll(() => tenant.stop());

test('contacts are created, changed, followed and deleted, in the default folder and others', async () => {
  const { body: folder } = await client.ask('POST', `${base}/contactFolders`, { displayName: 'Neue' });
  for (const path of [`${base}/contacts`, `${base}/contactFolders/${valueAt(folder, 'id')}/contacts`]) {
    const start = await client.drain(`${path}/delta`);
    const given = { displayName: '伟 李', emailAddresses: [{ name: '李', address: 'li@partner.example' }], custom: 1 };
    const { status, body } = await client.ask('POST', path, given);
    expect(status).toBe(201);
    expect(body).toMatchObject({ displayName: '伟 李', emailAddresses: given.emailAddresses });
    expect(body).not.toHaveProperty('custom');
    const one = `${base}/contacts/${valueAt(body, 'id')}`;
    await client.ask('PATCH', one, { jobTitle: 'Buyer' });
    const second = await client.drain(start.deltaLink ?? '');
    expect(second.value).toMatchObject([{ jobTitle: 'Buyer' }]);
    expect((await client.get(`${one}/photo/$value`)).status).toBe(404);
    await client.ask('PUT', `${one}/photo/$value`, Buffer.from([0xff, 0xd8]), { 'content-type': 'image/jpeg' });
    expect((await client.get(`${one}/photo/$value`)).bytes).toEqual(Buffer.from([0xff, 0xd8]));
    await client.ask('DELETE', one);
    expect((await client.get(one)).status).toBe(404);
  }
});

test('tasks store their steps, and return them on request', async () => {
  const { body: list } = await client.ask('POST', `${base}/todo/lists`, { displayName: 'Liste' });
  const tasks = `${base}/todo/lists/${valueAt(list, 'id')}/tasks`;
  const start = await client.drain(`${tasks}/delta`);
  const { body } = await client.ask('POST', tasks, { title: 'Buy', importance: 'high' });
  const one = `${tasks}/${valueAt(body, 'id')}`;
  const step = await client.ask('POST', `${one}/checklistItems`, { displayName: 'Milk' });
  expect(step).toMatchObject({ status: 201, body: { displayName: 'Milk', isChecked: false } });
  expect((await client.get(one)).body).not.toHaveProperty('checklistItems');
  expect((await client.get(`${one}?$expand=checklistItems`)).body).toMatchObject({
    checklistItems: [{ displayName: 'Milk' }],
  });
  expect((await client.drain(start.deltaLink ?? '')).value).toMatchObject([{ title: 'Buy' }]);
  expect((await client.ask('DELETE', `${base}/todo/lists/${valueAt(list, 'id')}`)).status).toBe(204);
});

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../server.ts';
import { TenantClient } from '../testing/tenant-client.ts';
import { objectsOf, textOf, valueAt } from '../wire/json.ts';

let tenant: RunningTenant;
let client: TenantClient;
let path: string;

beforeAll(async () => {
  tenant = await startTenant({ size: 'small', now: () => new Date('2026-11-21T09:00:00Z') });
  client = await TenantClient.signIn(tenant);
  const user = tenant.tenant.directory.users.find(({ mailbox }) => mailbox);
  const { body } = await client.ask('POST', `/users/${user?.id}/messages`, { subject: 'With files' });
  path = `/users/${user?.id}/messages/${valueAt(body, 'id')}`;
});
afterAll(() => tenant.stop());

test('a file is added, read as bytes, found in the MIME and deleted', async () => {
  const file = { '@odata.type': '#microsoft.graph.fileAttachment', name: 'ä.txt', contentBytes: 'aGVsbG8=' };
  const { status, body } = await client.ask('POST', `${path}/attachments`, file);
  expect(status).toBe(201);
  const one = `${path}/attachments/${valueAt(body, 'id')}`;
  expect((await client.get(`${one}/$value`)).bytes.toString()).toBe('hello');
  expect((await client.get(`${path}/$value`)).bytes.toString()).toContain("filename*=utf-8''%C3%A4.txt");
  expect((await client.get(path)).body).toMatchObject({ hasAttachments: true });
  expect((await client.ask('DELETE', one)).status).toBe(204);
  expect((await client.get(one)).status).toBe(404);
});

test('a message within a message leaves as MIME and, when expanded, as properties', async () => {
  const { body } = await client.ask('POST', `${path}/attachments`, {
    '@odata.type': '#microsoft.graph.itemAttachment',
    name: 'Inner',
    item: {
      '@odata.type': 'microsoft.graph.message',
      subject: 'Inner',
      body: { contentType: 'text', content: 'deep' },
    },
  });
  const one = `${path}/attachments/${valueAt(body, 'id')}`;
  expect((await client.get(`${one}/$value`)).bytes.toString()).toContain('Subject: Inner');
  const expanded = await client.get(`${one}?$expand=microsoft.graph.itemAttachment/item`);
  expect(expanded.body).toMatchObject({ item: { subject: 'Inner', body: { content: 'deep' } } });
});

test('a large file comes in by an upload session, in turn, and no other way', async () => {
  const bytes = Buffer.alloc(4 * 1024 * 1024, 'abc');
  const whole = {
    '@odata.type': '#microsoft.graph.fileAttachment',
    name: 'big',
    contentBytes: bytes.toString('base64'),
  };
  expect((await client.ask('POST', `${path}/attachments`, whole)).status).toBe(400);
  const session = await client.ask('POST', `${path}/attachments/createUploadSession`, {
    AttachmentItem: { attachmentType: 'file', name: 'big', size: bytes.length },
  });
  expect(session).toMatchObject({ status: 201, body: { nextExpectedRanges: ['0-'] } });
  const url = textOf(valueAt(session.body, 'uploadUrl')) ?? '';
  const put = (first: number, last: number) =>
    fetch(url, {
      method: 'PUT',
      body: bytes.subarray(first, last),
      headers: { 'content-range': `bytes ${first}-${last - 1}/${bytes.length}` },
    });
  expect((await put(100, 200)).status).toBe(416);
  const half = await put(0, 2_000_000);
  expect(await half.json()).toMatchObject({ nextExpectedRanges: ['2000000-'] });
  const done = await put(2_000_000, bytes.length);
  expect(done.status).toBe(201);
  const { bytes: back } = await client.get(`${done.headers.get('location')}/$value`);
  expect(back.equals(bytes)).toBe(true);
});

test('bytes are left out of a list that did not select them', async () => {
  const { body } = await client.get(`${path}/attachments?$select=id,name,size`);
  for (const attachment of objectsOf(valueAt(body, 'value'))) expect(attachment).not.toHaveProperty('contentBytes');
});

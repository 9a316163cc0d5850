import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../server.ts';
import { TenantClient } from '../testing/tenant-client.ts';
import { textOf, valueAt } from '../wire/json.ts';
import { generatedBytes } from './content/generated-content.ts';
import { quickXorHashOf } from './content/quick-xor-hash.ts';

let tenant: RunningTenant;
let client: TenantClient;
let drive: string;
const unit = 320 * 1024;
const bytes = Buffer.concat([...generatedBytes(1, 0, 2 * unit + 1000)]);

beforeAll(async () => {
  tenant = await startTenant({ now: () => new Date('2026-11-21T09:00:00Z') });
  client = await TenantClient.signIn(tenant);
  const { body } = await client.get(`/users/ada.lindqvist@${tenant.domain}/drive`);
  drive = `/drives/${textOf(valueAt(body, 'id'))}`;
});
afterAll(() => tenant.stop());

async function open(name: string, body: object = {}): Promise<string> {
  const { status, body: session } = await client.ask('POST', `${drive}/root:/${name}:/createUploadSession`, body);
  expect(status).toBe(200);
  return textOf(valueAt(session, 'uploadUrl')) ?? '';
}

async function send(
  url: string,
  start: number,
  end: number,
  total = bytes.length,
  headers: Record<string, string> = {},
) {
  const range = { 'content-range': `bytes ${start}-${end - 1}/${total}` };
  const body = new Uint8Array(bytes.subarray(start, end));
  const response = await fetch(url, { method: 'PUT', headers: { ...range, ...headers }, body });
  const answer: unknown = await response.json();
  return { status: response.status, body: answer };
}

test('a file comes in pieces, says how far it is, and is there with its hash after the last one', async () => {
  const fileSystemInfo = { lastModifiedDateTime: '2010-10-10T10:10:10Z' };
  const url = await open('pieces.bin', { item: { fileSystemInfo } });
  expect(await send(url, 0, unit)).toMatchObject({ status: 202, body: { nextExpectedRanges: [`${unit}-`] } });
  expect((await client.get(`${drive}/root:/pieces.bin`)).status).toBe(404);
  const state: unknown = await (await fetch(url)).json();
  expect(state).toMatchObject({ nextExpectedRanges: [`${unit}-`] });
  await send(url, unit, 2 * unit);
  const { status, body } = await send(url, 2 * unit, bytes.length);
  expect(status).toBe(201);
  expect(body).toMatchObject({
    size: bytes.length,
    fileSystemInfo,
    file: { hashes: { quickXorHash: quickXorHashOf(bytes) } },
  });
  expect((await fetch(url)).status).toBe(404);
});

test('a piece that was received already, or leaves a gap, is refused with 416, and the upload continues', async () => {
  const url = await open('order.bin');
  await send(url, 0, unit);
  expect((await send(url, 0, unit)).status).toBe(416);
  expect((await send(url, 2 * unit, bytes.length)).status).toBe(416);
  await send(url, unit, 2 * unit);
  expect((await send(url, 2 * unit, bytes.length)).status).toBe(201);
});

test('pieces of another size, another total and a token beside the URL are refused', async () => {
  const url = await open('wrong.bin');
  expect((await send(url, 0, 1000)).status).toBe(400);
  await send(url, 0, unit);
  expect((await send(url, unit, 2 * unit, bytes.length + 1)).status).toBe(400);
  expect((await send(url, unit, 2 * unit, bytes.length, { authorization: 'Bearer x' })).status).toBe(401);
});

test('a session can be given up, and expires', async () => {
  const url = await open('given-up.bin');
  expect((await fetch(url, { method: 'DELETE' })).status).toBe(204);
  expect((await fetch(url)).status).toBe(404);
  const other = await open('expired.bin');
  tenant.advance(4 * 86_400_000);
  expect((await send(other, 0, unit)).status).toBe(404);
  client = await TenantClient.signIn(tenant);
});

test('a name in use fails by default; an existing file named by its id gets a new version', async () => {
  const url = await open('existing.bin');
  await send(url, 0, bytes.length, bytes.length);
  const again = await client.ask('POST', `${drive}/root:/existing.bin:/createUploadSession`, {});
  expect(again).toMatchObject({ status: 409, body: { error: { code: 'nameAlreadyExists' } } });
  const renaming = await open('existing.bin', { item: { '@microsoft.graph.conflictBehavior': 'rename' } });
  expect(await send(renaming, 0, bytes.length)).toMatchObject({ status: 201, body: { name: 'existing 1.bin' } });
  const id = textOf(valueAt((await client.get(`${drive}/root:/existing.bin`)).body, 'id'));
  const { body } = await client.ask('POST', `${drive}/items/${id}/createUploadSession`, {});
  expect(await send(textOf(valueAt(body, 'uploadUrl')) ?? '', 0, bytes.length)).toMatchObject({
    status: 200,
    body: { id },
  });
  expect((await client.drain(`${drive}/items/${id}/versions`)).value.length).toBe(2);
});

test('with deferCommit the file comes into being by a closing POST', async () => {
  const url = await open('deferred.bin', { deferCommit: true });
  expect((await send(url, 0, bytes.length)).status).toBe(202);
  expect((await client.get(`${drive}/root:/deferred.bin`)).status).toBe(404);
  expect((await fetch(url, { method: 'POST' })).status).toBe(201);
  expect((await client.get(`${drive}/root:/deferred.bin`)).status).toBe(200);
});

test('a file that exceeds the quota is refused before a byte is sent', async () => {
  const body = { item: { fileSize: 2 ** 41 } };
  expect((await client.ask('POST', `${drive}/root:/huge.bin:/createUploadSession`, body)).status).toBe(507);
});

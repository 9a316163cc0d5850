import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningTenant, startTenant } from '../server.ts';
import { TenantClient } from '../testing/tenant-client.ts';
import { textOf, valueAt } from '../wire/json.ts';
import { quickXorHashOf } from './content/quick-xor-hash.ts';

let tenant: RunningTenant;
let client: TenantClient;
let drive: string;

beforeAll(async () => {
  tenant = await startTenant({ now: () => new Date('2026-11-21T09:00:00Z') });
  client = await TenantClient.signIn(tenant);
  const { body } = await client.get(`/users/ada.lindqvist@${tenant.domain}/drive`);
  drive = `/drives/${textOf(valueAt(body, 'id'))}`;
});
afterAll(() => tenant.stop());

const put = (path: string, text: string, query = '') =>
  client.ask('PUT', `${drive}/root:/${path}:/content${query}`, Buffer.from(text));

/** Follows the redirection of a content, without the token. */
async function download(path: string, headers: Record<string, string> = {}) {
  const { status, headers: reply } = await client.get(path);
  expect(status).toBe(302);
  return fetch(reply.get('location') ?? '', { headers });
}

const idOf = (body: unknown) => textOf(valueAt(body, 'id')) ?? '';

test('a file that is written reads back with its hashes, by path and by id', async () => {
  const { status, body } = await put('Neu/Grüße.txt', 'Grüße, 世界');
  expect(status).toBe(201);
  const bytes = Buffer.from('Grüße, 世界');
  expect(body).toMatchObject({
    name: 'Grüße.txt',
    size: bytes.length,
    file: {
      mimeType: 'text/plain',
      hashes: {
        quickXorHash: quickXorHashOf(bytes),
        sha256Hash: createHash('sha256').update(bytes).digest('hex').toUpperCase(),
      },
    },
    createdBy: { application: { id: tenant.application.clientId } },
  });
  expect(await (await download(`${drive}/items/${idOf(body)}/content`)).text()).toBe('Grüße, 世界');
  const byPath = await client.get(`${drive}/root:/neu/GRÜSSE.TXT`);
  expect(byPath.status).toBe(404);
  expect(idOf((await client.get(`${drive}/root:/neu/grüße.TXT`)).body)).toBe(idOf(body));
});

test('every address of a drive leads to the same root', async () => {
  const user = tenant.tenant.directory.findUser(`ada.lindqvist@${tenant.domain}`)?.id;
  const ids = ['root', 'items/root'].map((path) => client.get(`/users/${user}/drive/${path}`));
  const roots = (await Promise.all(ids)).map(({ body }) => idOf(body));
  expect(new Set([...roots, idOf((await client.get(`${drive}/root`)).body)]).size).toBe(1);
});

test('a download gives ranges, and 416 beyond the end', async () => {
  const { body } = await put('range.txt', '0123456789');
  const path = `${drive}/items/${idOf(body)}/content`;
  const middle = await download(path, { range: 'bytes=2-5' });
  expect([middle.status, middle.headers.get('content-range'), await middle.text()]).toEqual([
    206,
    'bytes 2-5/10',
    '2345',
  ]);
  expect(await (await download(path, { range: 'bytes=7-' })).text()).toBe('789');
  expect(await (await download(path, { range: 'bytes=-3' })).text()).toBe('789');
  const beyond = await download(path, { range: 'bytes=10-12' });
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */10']);
});

test('a download URL is good without a token, for an hour, and cannot be changed', async () => {
  const { body } = await put('ticket.txt', 'x');
  const url = textOf(valueAt(body, '@microsoft.graph.downloadUrl')) ?? '';
  expect((await fetch(url)).status).toBe(200);
  expect((await fetch(url.replace(/tempauth=./, 'tempauth=Z'))).status).toBe(401);
  tenant.advance(3_600_001);
  expect((await fetch(url)).status).toBe(401);
  client = await TenantClient.signIn(tenant);
});

test('a name in use fails, is replaced by a new version, or gets a number, as requested', async () => {
  const first = await put('conflict.txt', 'one');
  const conflict = (behavior: string) => put('conflict.txt', 'two', `?@microsoft.graph.conflictBehavior=${behavior}`);
  expect(await conflict('fail')).toMatchObject({ status: 409, body: { error: { code: 'nameAlreadyExists' } } });
  const replaced = await conflict('replace');
  expect([replaced.status, idOf(replaced.body)]).toEqual([200, idOf(first.body)]);
  expect(await conflict('rename')).toMatchObject({ status: 201, body: { name: 'conflict 1.txt' } });
});

test('a file of JSON is stored to the byte, whatever content type it is sent as', async () => {
  const text = '{ "a":  1.0 ,}';
  const { body } = await client.ask('PUT', `${drive}/root:/data.json:/content`, text, {
    'content-type': 'application/json',
  });
  expect(await (await download(`${drive}/items/${idOf(body)}/content`)).text()).toBe(text);
});

test('former versions keep their bytes; the current one can only be read from the item', async () => {
  const { body } = await put('versions.txt', 'one');
  await put('versions.txt', 'two!');
  const item = `${drive}/items/${idOf(body)}`;
  const { body: versions } = await client.get(`${item}/versions`);
  expect(versions).toMatchObject({
    value: [
      { id: '2.0', size: 4 },
      { id: '1.0', size: 3 },
    ],
  });
  expect(await (await download(`${item}/versions/1.0/content`)).text()).toBe('one');
  expect(await client.get(`${item}/versions/2.0/content`)).toMatchObject({
    status: 400,
    body: { error: { message: 'You cannot get the content of the current version.' } },
  });
  expect((await client.ask('POST', `${item}/versions/1.0/restoreVersion`)).status).toBe(204);
  expect(await (await download(`${item}/content`)).text()).toBe('one');
  expect(await client.get(item)).toMatchObject({ body: { size: 3 } });
});

test('a change under a stale If-Match is refused, and the tags change with the item and its content', async () => {
  const { body } = await put('tags.txt', 'one');
  const item = `${drive}/items/${idOf(body)}`;
  const [eTag, cTag] = [textOf(valueAt(body, 'eTag')) ?? '', valueAt(body, 'cTag')];
  const renamed = await client.ask('PATCH', item, { name: 'tags2.txt' }, { 'if-match': eTag });
  expect(renamed).toMatchObject({ status: 200, body: { name: 'tags2.txt', cTag } });
  expect(valueAt(renamed.body, 'eTag')).not.toBe(eTag);
  expect((await client.ask('DELETE', item, undefined, { 'if-match': eTag })).status).toBe(412);
});

test('the times of the file itself can be set, and the times of the item are those of the service', async () => {
  const { body } = await put('times.txt', 'x');
  const fileSystemInfo = { createdDateTime: '2001-02-03T04:05:06Z', lastModifiedDateTime: '2002-03-04T05:06:07Z' };
  const { body: changed } = await client.ask('PATCH', `${drive}/items/${idOf(body)}`, { fileSystemInfo });
  expect(changed).toMatchObject({ fileSystemInfo });
  expect(valueAt(changed, 'lastModifiedDateTime')).not.toBe(fileSystemInfo.lastModifiedDateTime);
});

test('a folder is made, moved with all that is in it, and cannot be moved into itself', async () => {
  const make = (name: string) => client.ask('POST', `${drive}/root/children`, { name, folder: {} });
  const [one, other] = [await make('One'), await make('Other')];
  expect(one.status).toBe(201);
  await client.ask('PUT', `${drive}/items/${idOf(one.body)}:/in.txt:/content`, 'in');
  const move = (id: string, to: string) => client.ask('PATCH', `${drive}/items/${id}`, { parentReference: { id: to } });
  expect((await move(idOf(one.body), idOf(other.body))).status).toBe(200);
  expect((await client.get(`${drive}/root:/Other/One/in.txt`)).status).toBe(200);
  expect((await move(idOf(other.body), idOf(one.body))).status).toBe(400);
  expect(await client.get(`${drive}/items/${idOf(other.body)}`)).toMatchObject({
    body: { size: 2, folder: { childCount: 1 } },
  });
});

test('a copy is made in the background, and its monitor needs no token', async () => {
  const { body } = await put('original.txt', 'copy me');
  const { status, headers } = await client.ask('POST', `${drive}/items/${idOf(body)}/copy`, { name: 'copy.txt' });
  expect(status).toBe(202);
  const monitor = headers.get('location') ?? '';
  expect(await (await fetch(monitor)).json()).toMatchObject({ status: 'inProgress' });
  const done: unknown = await (await fetch(monitor)).json();
  expect(done).toMatchObject({ status: 'completed' });
  expect(await (await download(`${drive}/items/${textOf(valueAt(done, 'resourceId'))}/content`)).text()).toBe(
    'copy me',
  );
});

test('what has no content says so: a folder, a notebook, a file with malware, and what is not there', async () => {
  expect((await client.get(`${drive}/root:/Ebene 1:/content`)).status).toBe(400);
  expect((await client.get(`${drive}/root:/Team notebook:/content`)).status).toBe(400);
  expect(await client.get(`${drive}/root:/infected.exe:/content`)).toMatchObject({
    status: 403,
    body: { error: { code: 'malwareDetected' } },
  });
  expect(await client.get(`${drive}/items/01NOSUCHITEM`)).toMatchObject({
    status: 404,
    body: { error: { code: 'itemNotFound' } },
  });
});

test('a user without OneDrive, as the first administrator, has none', async () => {
  expect(await client.get(`/users/admin@${tenant.domain}/drive`)).toMatchObject({
    status: 404,
    body: { error: { code: 'ResourceNotFound', message: "User's mysite not found." } },
  });
});

test('with limits on, requests cost resource units, and what is beyond them waits', async () => {
  const set = (resourceUnits: unknown) =>
    fetch(`${tenant.url}/__sandbox/settings`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ resourceUnits }),
    });
  await set({ perMinute: 10, perDay: 1000 });
  try {
    for (let number = 0; number < 7; number += 1) expect((await client.get(`${drive}/root`)).status).toBe(200);
    const near = await client.get(`${drive}/root`);
    expect([near.status, near.headers.get('ratelimit-limit'), near.headers.get('ratelimit-remaining')]).toEqual([
      200,
      '10',
      '2',
    ]);
    const beyond = await client.get(`${drive}/root/permissions`);
    expect([beyond.status, beyond.headers.get('retry-after')]).toEqual([429, '60']);
    tenant.advance(60_000);
    expect((await client.get(`${drive}/root/permissions`)).status).toBe(200);
  } finally {
    await set(null);
  }
});

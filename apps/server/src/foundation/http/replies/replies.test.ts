import { createHmac } from 'node:crypto';
import { Readable } from 'node:stream';
import { declareCall, file } from '@keepwatch/contract/wire/call';
import { request } from '@keepwatch/contract/wire/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { actorOf } from '../../../identity/sessions.ts';
import { recordingQueue, startTestPortal, TEST_NOW, type TestPortal } from '../../../testing/test-portal.ts';
import { notFound, Refusal } from '../../errors.ts';
import { secretBox } from '../../secrets.ts';
import { addRoute } from '../add-route.ts';
import { openRequestPlaces } from '../request-places.ts';
import { answer } from '../routes.ts';

const texts = { failure: 'The file could not be read.', summary: 'For the tests.' };
const getArchive = declareCall({
  method: 'GET',
  path: '/test/archives/{name}',
  access: 'public',
  params: z.strictObject({ name: z.string() }),
  reply: file({ types: ['application/zip', 'application/pdf'], ranges: true }),
  ...texts,
});
const getStream = declareCall({
  method: 'GET',
  path: '/test/stream',
  access: 'signed-in',
  reply: file({ types: ['message/rfc822'] }),
  ...texts,
});
const getRedirect = declareCall({
  method: 'GET',
  path: '/test/redirect',
  access: 'public',
  query: z.strictObject({ to: z.string() }),
  reply: 'redirect',
  ...texts,
});
const hook = declareCall({
  method: 'POST',
  path: '/test/hook',
  access: 'public',
  audit: null, // For the tests
  headers: ['x-signature'],
  rawBody: { bytesMax: 1_000, types: ['application/json', 'application/octet-stream'] },
  reply: 'empty',
  ...texts,
});

const ZIP = 'application/zip' as const;
const BYTES = Buffer.from('0123456789');
const SIGNED = (bytes: Buffer) => createHmac('sha256', 'secret').update(bytes).digest('hex');
let opened: unknown[] = [];
let received: Buffer | null = null;

const routes = [
  answer(getArchive, async (_context, { params }) => {
    if (params.name === 'none') throw notFound('archive');
    return {
      name: `${params.name}.zip`,
      type: ZIP,
      length: BYTES.length,
      etag: 'v1',
      open(range) {
        opened.push(range);
        return Readable.from([range === null ? BYTES : BYTES.subarray(range.start, range.end + 1)]);
      },
    };
  }),
  answer(getStream, async () => ({ name: 'a.eml', stream: Readable.from([BYTES]) })),
  answer(getRedirect, async (_context, { query }) => ({ to: query.to })),
  answer(hook, async (_context, { bytes, headers }) => {
    if (headers['x-signature'] !== SIGNED(bytes))
      throw new Refusal(401, 'WRONG_CREDENTIALS', 'The signature is wrong.');
    received = bytes;
    return undefined;
  }),
];

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal(async (server, database) => {
    const services = {
      database,
      queue: recordingQueue([]),
      now: () => TEST_NOW,
      secrets: secretBox('secret of the tests'),
      places: openRequestPlaces(),
      authenticate: (token: string) => actorOf(database, token, TEST_NOW),
      publicUrl: 'https://portal.test',
    };
    for (const route of routes) addRoute(server, route, services);
  });
});
afterAll(() => portal.stop());

function archive(headers: Record<string, string> = {}, name = 'Mail', method = 'GET'): Promise<Response> {
  opened = [];
  return portal.anonymous.raw(method, `/api/test/archives/${encodeURIComponent(name)}`, { headers });
}

describe('a file of which parts may be asked', () => {
  it('is sent whole, with its name, type, length and tag, and the headers of every reply', async () => {
    const response = await archive();
    expect([response.status, await response.text()]).toEqual([200, '0123456789']);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-length': '10',
      'content-disposition': 'attachment; filename="Mail.zip"',
      'accept-ranges': 'bytes',
      etag: '"v1"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    });
  });

  it.each([
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=7-500', '789', 'bytes 7-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=-30', '0123456789', 'bytes 0-9/10'],
  ])('206: %s', async (range, part, contentRange) => {
    const response = await archive({ range });
    expect([response.status, await response.text()]).toEqual([206, part]);
    expect(response.headers.get('content-range')).toBe(contentRange);
    expect(response.headers.get('content-length')).toBe(String(part.length));
  });

  it.each(['bytes=10-', 'bytes=10-12', 'bytes=-0'])('416: %s is past the end', async (range) => {
    const response = await archive({ range });
    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe('bytes */10');
    expect(await response.json()).toMatchObject({ success: false, code: 'RANGE_NOT_SATISFIABLE' });
    expect(opened).toEqual([]);
  });

  it.each(['bytes=1-2,4-5', 'bytes=4-2', 'lines=1-2', 'bytes=-', 'bytes'])(
    '%s is answered with all of it',
    async (range) => {
      const response = await archive({ range });
      expect([response.status, await response.text()]).toEqual([200, '0123456789']);
    },
  );

  it('is continued only while it is the same file (If-Range)', async () => {
    expect((await archive({ range: 'bytes=5-', 'if-range': '"v1"' })).status).toBe(206);
    expect((await archive({ range: 'bytes=5-', 'if-range': '"v0"' })).status).toBe(200);
  });

  it('is not opened by a HEAD', async () => {
    const response = await archive({}, 'Mail', 'HEAD');
    expect([response.status, response.headers.get('content-length'), opened]).toEqual([200, '10', []]);
  });

  it('has a name in every script, and none that ends the header', async () => {
    const names = { 'Müller 📦': 'filename="M_ller _.zip"; filename*=UTF-8\'\'M%C3%BCller%20%F0%9F%93%A6.zip' };
    for (const [name, header] of Object.entries({
      ...names,
      'a"b': 'filename="a_b.zip"; filename*=UTF-8\'\'a%22b.zip',
    }))
      expect((await archive({}, name)).headers.get('content-disposition')).toBe(`attachment; ${header}`);
  });

  it('404: is refused as JSON, and a client of the contract gets its bytes', async () => {
    expect((await archive({}, 'none')).headers.get('content-type')).toContain('application/json');
    const blob = await portal.anonymous.call(getArchive, { params: { name: 'Mail' } });
    expect([blob.type, await blob.text()]).toEqual(['application/zip', '0123456789']);
  });
});

describe('a file of unknown length', () => {
  it('is streamed to those who may have it', async () => {
    expect((await portal.anonymous.raw('GET', '/api/test/stream')).status).toBe(401);
    const reader = await portal.as('operator');
    const response = await reader.raw('GET', '/api/test/stream', { headers: { range: 'bytes=1-2' } });
    expect([response.status, await response.text()]).toEqual([200, '0123456789']);
    expect(response.headers.get('accept-ranges')).toBeNull();
  });
});

describe('a redirect', () => {
  const goTo = (to: string) =>
    fetch(`${portal.url}/api/test/redirect?to=${encodeURIComponent(to)}`, { redirect: 'manual' });

  it.each(['/monitoring/sources?a=1', 'https://login.example.com/authorize?x=1'])('302 to %s', async (to) => {
    const response = await goTo(to);
    expect([response.status, response.headers.get('location')]).toEqual([302, to]);
  });

  it.each(['javascript:alert(1)', '//evil.example', '/\\evil.example', 'data:text/html,x', 'evil', 'https://'])(
    '500: never to %s',
    async (to) => {
      const response = await goTo(to);
      expect([response.status, response.headers.get('location')]).toEqual([500, null]);
    },
  );
});

describe('a body that is signed', () => {
  const send = (body: Buffer, headers: Record<string, string>) =>
    portal.anonymous.raw('POST', '/api/test/hook', { body: new Blob([new Uint8Array(body)]), headers });

  it('204: reaches the handler byte by byte, with the declared header', async () => {
    const body = Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x0d, 0x0a, 0x7b]);
    const headers = { 'x-signature': SIGNED(body), 'content-type': 'application/octet-stream' };
    const response = await send(body, headers);
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect(received?.equals(body)).toBe(true);
  });

  it('is refused with another signature, another type, or more bytes than declared', async () => {
    const type = { 'content-type': 'application/json; charset=utf-8' };
    expect((await send(Buffer.from('{}'), { ...type, 'x-signature': 'x' })).status).toBe(401);
    expect((await send(Buffer.from('{}'), { 'content-type': 'text/html' })).status).toBe(415);
    expect((await send(Buffer.alloc(1_001), type)).status).toBe(413);
  });

  it('gives a client of the contract nothing', async () => {
    const transport = { fetch: async () => new Response(null, { status: 204 }), origin: '', token: () => null };
    expect(await request(transport, hook, {})).toBeUndefined();
  });
});

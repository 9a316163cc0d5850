import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RawConnection, type RawReply } from '../../../testing/raw-http.ts';
import { startTestPortal, type TestPortal } from '../../../testing/test-portal.ts';

let portal: TestPortal;
let connection: RawConnection;

beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());
beforeEach(() => {
  connection = new RawConnection(portal.url);
});
afterEach(() => connection.close());

/** What every reply of the portal carries, wherever it was written. */
function expectShape(reply: RawReply): void {
  expect(JSON.parse(reply.body)).toMatchObject({
    success: false,
    code: expect.stringMatching(/^[A-Z_]+$/),
    message: expect.stringMatching(/^[A-Z].{10,}/),
    requestId: reply.headers.get('x-request-id') ?? 'no request id',
  });
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(reply.headers.get('cache-control')).toBe('no-store');
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff');
  expect(reply.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(reply.headers.get('referrer-policy')).toBe('no-referrer');
}

const HOST = 'Host: localhost\r\n';
const REFUSED: readonly [what: string, status: number, bytes: string][] = [
  ['an address that cannot be decoded', 400, `GET /% HTTP/1.1\r\n${HOST}\r\n`],
  ['an address of a call that cannot be decoded', 400, `GET /api/profile/%ff%fe HTTP/1.1\r\n${HOST}\r\n`],
  ['an address that is cut within a character', 400, `GET /api/companies/%c3%28 HTTP/1.1\r\n${HOST}\r\n`],
  ['an address of 20,000 letters', 431, `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`],
  ['a part of an address with 600 letters', 414, `GET /api/profile/${'a'.repeat(600)} HTTP/1.1\r\n${HOST}\r\n`],
  ['headers of 20,000 letters', 431, `GET /api/branding HTTP/1.1\r\n${HOST}X: ${'a'.repeat(20_000)}\r\n\r\n`],
  [
    'an expectation that cannot be met',
    417,
    `POST /api/auth/login/db HTTP/1.1\r\n${HOST}Expect: miracles\r\nContent-Length: 2\r\n\r\n{}`,
  ],
  ['what is not HTTP', 400, 'this is not HTTP\r\n\r\n'],
  ['a method that does not exist', 400, `BREW / HTTP/1.1\r\n${HOST}\r\n`],
  ['a version that does not exist', 400, `GET / HTTP/9.9\r\n${HOST}\r\n`],
  ['the preface of HTTP/2', 400, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a header without a colon', 400, `GET /api/branding HTTP/1.1\r\n${HOST}nonsense\r\n\r\n`],
  ['a header with a control character', 400, `GET /api/branding HTTP/1.1\r\n${HOST}X: a\u0000b\r\n\r\n`],
  ['no host', 400, 'GET /api/branding HTTP/1.1\r\n\r\n'],
  ['two lengths', 400, `POST /api/auth/login/db HTTP/1.1\r\n${HOST}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
  ['a length that is no number', 400, `POST /api/auth/login/db HTTP/1.1\r\n${HOST}Content-Length: two\r\n\r\n{}`],
  ['a chunk that is none', 400, `POST /api/auth/login/db HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
  [
    'an unknown encoding of the transfer',
    400,
    `POST /api/auth/login/db HTTP/1.1\r\n${HOST}Transfer-Encoding: magic\r\n\r\n{}`,
  ],
  ['a tunnel', 405, `CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n`],
  ['a method that no call has', 404, `PROPFIND /api/branding HTTP/1.1\r\n${HOST}\r\n`],
  ['a trace', 404, `TRACE /api/branding HTTP/1.1\r\n${HOST}\r\n`],
  ['options of everything', 404, `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`],
  ['a method that this call has not', 404, `DELETE /api/branding HTTP/1.1\r\n${HOST}\r\n`],
  [
    'an upgrade to another protocol',
    404,
    `GET /api/nothing HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
  ],
  ['an absolute address', 404, `GET http://evil.example/api/nothing HTTP/1.1\r\n${HOST}\r\n`],
  [
    'a compressed body',
    415,
    `POST /api/auth/login/db HTTP/1.1\r\n${HOST}Content-Encoding: br\r\nContent-Length: 2\r\n\r\n{}`,
  ],
];

describe('a reply to what cannot be read', () => {
  it.each(REFUSED)('has the shape and the headers of all others: %s', async (_what, status, bytes) => {
    const reply = await connection.send(bytes);
    expectShape(reply);
    expect(reply.status).toBe(status);
  });

  it('comes on a connection that served before', async () => {
    const first = await connection.send(`GET /api/branding HTTP/1.1\r\n${HOST}\r\n`);
    expect(first.status).toBe(200);
    const second = await connection.send('nonsense\r\n\r\n');
    expect(second.status).toBe(400);
    expectShape(second);
  });

  it.each([
    ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n'],
    ['what is not HTTP', 'this is not HTTP\r\n\r\n'],
  ])('ends the connection, whether its client closes it, resets it or does neither: %s', async (_what, bytes) => {
    const accepted = once(portal.server.server, 'connection');
    const { hostname, port } = new URL(portal.url);
    const client = createConnection({ host: hostname, port: Number(port), allowHalfOpen: true });
    const [socket] = (await accepted) as [Socket];
    client.write(bytes);
    await once(client.resume(), 'end');
    // As of a client that resets the connection: without a listener it would end the process.
    expect(() => socket.emit('error', new Error('reset'))).not.toThrow();
    await expect.poll(() => socket.destroyed).toBe(true);
    client.destroy();
    expect((await connection.send(`GET /api/branding HTTP/1.1\r\n${HOST}\r\n`)).status).toBe(200);
  });

  it('does not repeat what the server was sent', async () => {
    const reply = await connection.send(`GET /api/monitoring/intake/secret-token/%ff HTTP/1.1\r\n${HOST}\r\n`);
    expect(reply.body).not.toContain('secret-token');
  });
});

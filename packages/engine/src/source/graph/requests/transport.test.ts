import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { listen } from '../../../testing/listen.ts';
import type { ResolveName } from './graph-links.ts';
import { heldBytes, heldText } from './held-text.ts';
import { type HttpReply, type HttpRequest, openTransport, type Send } from './transport.ts';

const get = (send: Send, url: string, given: Partial<HttpRequest> = {}) =>
  send({ url, method: 'GET', headers: {}, signal: new AbortController().signal, ...given });

/** What a server of the test replies to one GET. */
async function replied(answer: (response: ServerResponse) => void, given: Partial<HttpRequest> = {}) {
  return get(openTransport(), await listen((_, response) => answer(response)), given);
}

/** A reply whose first bytes have come and whose others never do, and the end of its connection. */
async function begun(headers: Record<string, string> = {}, bytes = Buffer.from('begun'), signal?: AbortSignal) {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  const begin = (response: ServerResponse) => {
    response.socket?.on('close', () => resolve());
    response.writeHead(200, headers).write(bytes);
  };
  return { reply: await replied(begin, signal === undefined ? {} : { signal }), closed };
}

describe('A request', () => {
  test('is sent with its method, headers and body, and says who sends', async () => {
    let body = '';
    const url = await listen(async (request, response) => {
      for await (const chunk of request) body += chunk;
      response.end(
        JSON.stringify([request.method, request.url, request.headers['x-a'], request.headers['user-agent']]),
      );
    });
    const reply = await get(openTransport(), `${url}/a?b=c`, {
      method: 'PUT',
      headers: { 'x-a': '1' },
      body: Buffer.from('sent'),
    });
    expect(JSON.parse(await heldText(reply))).toEqual(['PUT', '/a?b=c', '1', 'keepwatch']);
    expect(body).toBe('sent');
  });

  test('goes over a connection of the last ones, and has one of its own while they are in use', async () => {
    const ports: (number | undefined)[] = [];
    const waiting: ServerResponse[] = [];
    const url = await listen((request, response) => {
      ports.push(request.socket.remotePort);
      if (request.url === '/') return response.end('done');
      waiting.push(response);
      if (waiting.length === 20) for (const one of waiting) one.end();
    });
    const send = openTransport();
    for (let asked = 0; asked < 10; asked += 1) await heldText(await get(send, url));
    // The client lets a connection rest for a turn of the event loop before its next request: two take turns.
    expect(new Set(ports).size).toBeLessThanOrEqual(2);
    await Promise.all(Array.from({ length: 20 }, async () => heldText(await get(send, `${url}/at-once`))));
    expect(new Set(ports.slice(-20)).size).toBe(20);
  });

  test('that is not answered ends with the reason of its signal, and so does its connection', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    const stop = new AbortController();
    const url = await listen((request) => {
      request.socket.on('close', () => resolve());
      stop.abort(new Error('Stopped.'));
    });
    await expect(get(openTransport(), url, { signal: stop.signal })).rejects.toThrow('Stopped.');
    await closed;
  });

  test('ends with the reason of its signal also before there is a connection', async () => {
    const stop = new AbortController();
    const never: ResolveName = () => {
      stop.abort(new Error('Stopped.'));
      return new Promise(() => undefined);
    };
    const asked = get(openTransport([], never), 'http://contoso.example/', { signal: stop.signal });
    await expect(asked).rejects.toThrow('Stopped.');
    await expect(get(openTransport(), 'http://127.0.0.1:9/', { signal: stop.signal })).rejects.toThrow('Stopped.');
  });

  test('that finds no server says why', async () => {
    await expect(get(openTransport(), 'http://127.0.0.1:9/')).rejects.toThrow('connect ECONNREFUSED 127.0.0.1:9');
  });
});

describe('A name', () => {
  const ours: ResolveName = async () => [{ address: '127.0.0.1', family: 4 }];

  test('that resolves to an address of this machine is not connected to, unless it is a host of our own', async () => {
    let asked = 0;
    const url = await listen((_, response) => {
      asked += 1;
      response.end();
    });
    const named = url.replace('127.0.0.1', 'files.contoso.example');
    await expect(get(openTransport([], ours), named)).rejects.toThrow(/a link to files\.contoso\.example, .*private/);
    expect(asked).toBe(0);
    expect((await get(openTransport(['files.contoso.example'], ours), named)).status).toBe(200);
  });
});

describe('The head of a reply', () => {
  test('is found by names in any case, and a repeated header is one', async () => {
    const { header } = await replied((response) => response.writeHead(200, { ETag: '"1"', Warning: ['a', 'b'] }).end());
    expect([header('etag'), header('ETag'), header('warning'), header('retry-after')]).toEqual([
      '"1"',
      '"1"',
      'a, b',
      null,
    ]);
  });

  test('gives a redirection, which is not followed', async () => {
    const reply = await replied((response) => response.writeHead(302, { location: 'http://elsewhere.example/' }).end());
    expect([reply.status, reply.header('location')]).toEqual([302, 'http://elsewhere.example/']);
  });
});

describe('The body of a reply', () => {
  test.each([
    ['gzip', {}],
    ['identity', { range: 'bytes=5-' }],
  ])(
    'is asked for as %s with the headers %j, and given as it was before',
    async (encoding, headers: Record<string, string>) => {
      const text = 'text '.repeat(1_000);
      const url = await listen((request, response) => {
        const asked = request.headers['accept-encoding'] ?? '';
        response.writeHead(200, { 'content-encoding': asked }).end(asked === 'gzip' ? gzipSync(text) : text);
      });
      const reply = await get(openTransport(), url, { headers });
      expect(reply.header('content-encoding')).toBe(encoding);
      expect(await heldText(reply)).toBe(text);
    },
  );

  test.each([
    [204, {}],
    [200, { 'content-length': '0' }],
  ])('may be none although status %i and %j say how it is encoded', async (status, headers) => {
    const reply = await replied((response) =>
      response.writeHead(status, { ...headers, 'content-encoding': 'gzip' }).end(),
    );
    expect(await heldText(reply)).toBe('');
  });

  test('that is small and decoded has no end is held no further than it may be', async () => {
    const zeros = Buffer.alloc(2 ** 16);
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const endless = function* () {
      for (;;) yield zeros;
    };
    const reply = await replied((response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      pipeline(endless, createGzip(), response).catch(() => resolve());
    });
    await expect(heldBytes(reply, 2 ** 20)).rejects.toThrow(/more than 1 MB/);
    await ended;
  });

  const GZIP = { 'content-encoding': 'gzip' };
  const zipped = gzipSync('text '.repeat(10_000));
  test.each<[string, (response: ServerResponse) => void, RegExp]>([
    ['before its length', (response) => half(response, { 'content-length': '10' }), /closed|aborted|terminated/],
    ['before its last chunk', (response) => half(response, {}), /closed|aborted|terminated/],
    [
      'before its encoding',
      (response) => response.writeHead(200, GZIP).end(zipped.subarray(0, 90)),
      /unexpected end of file/,
    ],
    ['in bytes that are not its encoding', (response) => response.writeHead(200, GZIP).end('text'), /incorrect header/],
  ])('that breaks off %s is an error', async (_, answer, message) => {
    await expect(heldText(await replied(answer))).rejects.toThrow(message);
  });

  test('in an encoding that was not asked for is refused', async () => {
    const replying = replied((response) => response.writeHead(200, { 'content-encoding': 'br' }).end('x'));
    await expect(replying).rejects.toThrow(/encoded as ‘br’, which was not asked for/);
  });

  test.each([
    ['as it is', {}, Buffer.from('begun')],
    ['decoded', GZIP, zipped.subarray(0, 90)],
  ])('%s ends with the reason of the signal, with its connection', async (_, headers, bytes) => {
    const stop = new AbortController();
    const { reply, closed } = await begun(headers, bytes, stop.signal);
    const reading = heldText(reply);
    stop.abort(new Error('Stopped.'));
    await expect(reading).rejects.toThrow('Stopped.');
    await closed;
  });

  test.each([
    ['as it is', {}, Buffer.from('begun')],
    ['decoded', GZIP, gzipSync(Buffer.alloc(2 ** 20)).subarray(0, 500)],
  ])('%s whose reader leaves ends its connection', async (_, headers, bytes) => {
    const { reply, closed } = await begun(headers, bytes);
    for await (const piece of reply.body) {
      expect(piece.length).toBeGreaterThan(0);
      break;
    }
    await closed;
  });

  test.each([
    ['as it is', {}],
    ['decoded', GZIP],
  ])('%s is discarded unread, and under a reader who waits, who hears of it', async (_, headers) => {
    const unread = await begun(headers, Buffer.alloc(0));
    unread.reply.discard();
    await unread.closed;
    const { reply, closed } = await begun(headers, Buffer.alloc(0));
    const waiting = reply.body[Symbol.asyncIterator]().next();
    reply.discard();
    await expect(waiting).rejects.toThrow();
    await closed;
  });

  test('that broke before it was read fails when it is read', async () => {
    const reply = await replied((response) => half(response, { 'content-length': '10' }));
    await brokenOff(reply);
    await expect(heldText(reply)).rejects.toThrow();
  });
});

function half(response: ServerResponse, headers: Record<string, string>): void {
  response.writeHead(200, headers);
  response.write('12345', () => response.destroy());
}

async function brokenOff({ body }: HttpReply): Promise<void> {
  if (!(body instanceof Readable)) throw new TypeError('The body is no stream of Node.');
  if (!body.destroyed) await new Promise((resolve) => body.once('close', resolve));
}

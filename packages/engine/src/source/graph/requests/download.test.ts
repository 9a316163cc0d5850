import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { gathered } from '../../../testing/gathered.ts';
import { serve } from '../../../testing/graph/served-graph.ts';
import { listen } from '../../../testing/listen.ts';

const FILE = { path: '/drives/d/items/i/content' };

/** Sends the begin of a file and then nothing. @returns when its connection ends */
function begin(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-length': 10 }).write('begun');
  return new Promise((resolve) => response.on('close', resolve));
}

describe('A download', () => {
  it('follows no redirect to an address that only this machine reaches', async () => {
    const { connection } = await serve((_, response) => {
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end();
    });
    await expect(gathered(connection.download(FILE))).rejects.toThrow(/private network/);
  });

  it('follows no redirect to a name of this machine, and does not connect to it', async () => {
    let asked = 0;
    const stranger = await listen((_, response) => {
      asked += 1;
      response.end();
    });
    const location = stranger.replace('127.0.0.1', 'localhost');
    const { connection } = await serve((_, response) => {
      response.writeHead(302, { location }).end();
    });
    await expect(gathered(connection.download(FILE))).rejects.toThrow(/a link to localhost, .*private network/);
    expect(asked).toBe(0);
  });

  it('joins no two answers to a question that was asked again, unless their bytes are the same', async () => {
    let asked = 0;
    const { connection } = await serve((_, response) => {
      asked += 1;
      const bytes = Buffer.alloc(2000, asked < 3 ? 'a' : 'b');
      response.writeHead(200, { 'content-length': bytes.length });
      response.write(bytes.subarray(0, 500 * asked), () => (asked < 3 ? response.destroy() : response.end(bytes)));
    });
    const call = {
      method: 'POST',
      path: '/admin/exchange/mailboxes/m/exportItems',
      body: {},
      isRepeatable: true,
    } as const;
    await expect(gathered(connection.download(call))).rejects.toThrow(/changed while it was read/);
  });

  it('asks for the rest by range when it breaks, and gives every byte once', async () => {
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => index % 251));
    const ranges: (string | undefined)[] = [];
    const { connection } = await serve((request, response) => {
      ranges.push(request.headers.range);
      const start = Number(/bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0);
      response.writeHead(start > 0 ? 206 : 200, { 'content-length': bytes.length - start, etag: '"1"' });
      if (ranges.length < 3) response.write(bytes.subarray(start, start + 30_000), () => response.destroy());
      else response.end(bytes.subarray(start));
    });
    expect(Buffer.concat(await gathered(connection.download(FILE))).equals(bytes)).toBe(true);
    expect(ranges).toEqual([undefined, 'bytes=30000-', 'bytes=60000-']);
  });

  it('asks for another link each time the one at hand has expired in the middle of a file, and goes on where it was', async () => {
    const bytes = Buffer.from('the bytes of a file');
    const asked: string[] = [];
    const used = new Set<string>();
    const { connection } = await serve(({ url = '', headers: { range = '' } }, response) => {
      const isExpired = used.has(url);
      used.add(url);
      asked.push(`${url} ${range} ${isExpired ? 'expired' : ''}`.trim());
      const start = Number(/bytes=(\d+)-/.exec(range)?.[1] ?? 0);
      if (isExpired) response.writeHead(404).end();
      else {
        response.writeHead(start > 0 ? 206 : 200, { 'content-length': bytes.length - start });
        if (start > 12) response.end(bytes.subarray(start));
        else response.write(bytes.subarray(start, start + 7), () => response.destroy());
      }
    });
    let links = 0;
    const renew = async () => {
      links += 1;
      return `/link/${links}`;
    };
    const read = await gathered(connection.download({ path: '/link/0', renew }));
    expect(String(Buffer.concat(read))).toBe(String(bytes));
    expect(asked.map((one) => one.slice(one.indexOf('/link')))).toEqual([
      '/link/0',
      '/link/0 bytes=7- expired',
      '/link/1 bytes=7-',
      '/link/1 bytes=14- expired',
      '/link/2 bytes=14-',
    ]);
  });

  it('refuses to join two halves of a file that changed in between', async () => {
    let asked = 0;
    const { connection } = await serve((_, response) => {
      asked += 1;
      response.writeHead(asked > 1 ? 206 : 200, { 'content-length': 1000, etag: `"${asked}"` });
      response.write(Buffer.alloc(500), () => response.destroy());
    });
    await expect(gathered(connection.download(FILE))).rejects.toThrow(/changed while it was read/);
  });

  it('asks for the rest when no data arrives, and does not wait for more on that connection', async () => {
    let silent: Promise<void> | undefined;
    const answer = (response: ServerResponse) => {
      if (silent === undefined) silent = begin(response);
      else response.writeHead(206).end('ended');
    };
    const { connection } = await serve((_, response) => answer(response), { timeLimitMs: 250 });
    expect(Buffer.concat(await gathered(connection.download(FILE))).toString()).toBe('begunended');
    await silent;
  });

  it.each(['who stops it', 'who leaves it'])('ends with its connection for a reader %s', async (who) => {
    const stop = new AbortController();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const { connection } = await serve((_, response) => void begin(response).then(resolve));
    const reading = async () => {
      for await (const _ of connection.download({ ...FILE, signal: stop.signal })) {
        if (who === 'who leaves it') return;
        stop.abort(new Error('Stopped.'));
      }
    };
    await (who === 'who leaves it' ? reading() : expect(reading()).rejects.toThrow('Stopped.'));
    await ended;
  });

  it('leaves the connection to Graph open when it is led to another', async () => {
    const bytes = await listen((_, response) => response.end('bytes'));
    const ports = new Set<number | undefined>();
    const { connection } = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      // More than comes at once.
      response.writeHead(302, { location: `${bytes}/file` }).end('It is elsewhere. '.repeat(20_000));
    });
    for (let count = 0; count < 10; count += 1) await gathered(connection.download(FILE));
    expect(ports.size).toBeLessThanOrEqual(2);
  });
});

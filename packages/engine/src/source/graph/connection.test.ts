import { describe, expect, it } from 'vitest';
import { type Answer, json, refusal, serve } from '../../testing/graph/served-graph.ts';
import { listen } from '../../testing/listen.ts';

describe('A connection to Graph', () => {
  it('asks for one token, however many wait for it, and for the next one before it expires', async () => {
    const used = new Set<string | undefined>();
    const { connection, clock, countTokens } = await serve((request, response) => {
      used.add(request.headers.authorization);
      json(response, 200, {});
    });
    await Promise.all(Array.from({ length: 10 }, () => connection.ask({ path: '/users' })));
    expect(countTokens()).toBe(1);
    await clock.sleep(56 * 60_000, undefined);
    await connection.ask({ path: '/users' });
    expect([...used]).toEqual(['Bearer token-1', 'Bearer token-2']);
  });

  it('takes a new token when one is refused, and gives up when that is refused too', async () => {
    const { connection, countTokens } = await serve((request, response) => {
      const isOld = request.headers.authorization === 'Bearer token-1' || request.url?.endsWith('/never');
      json(response, isOld ? 401 : 200, isOld ? refusal('InvalidAuthenticationToken') : {});
    });
    await connection.ask({ path: '/users' });
    expect(countTokens()).toBe(2);
    await expect(connection.ask({ path: '/never' })).rejects.toMatchObject({ code: 'credentials-refused' });
  });

  it('sends the token to Graph alone, not to a link that leads elsewhere', async () => {
    let seen: string | undefined;
    const { connection: elsewhere } = await serve(() => undefined);
    expect(elsewhere.tenantId).toBe('contoso');
    const stranger = await listen((request, response) => {
      seen = request.headers.authorization;
      json(response, 200, {});
    });
    await elsewhere.ask({ path: `${stranger}/v1.0/users` });
    expect(seen).toBeUndefined();
  });

  it.each([
    ['seconds', () => '17', 17_000],
    ['a date', (nowMs: number) => new Date(nowMs + 30_000).toUTCString(), 30_000],
  ])('obeys Retry-After as %s to the millisecond, for the mailbox it concerns', async (_, header, expectedMs) => {
    let asked = 0;
    const { connection, clock } = await serve((request, response) => {
      if (!request.url?.includes('/users/one/')) return json(response, 200, {});
      asked += 1;
      if (asked > 1) return json(response, 200, {});
      json(response, 429, refusal('TooManyRequests'), { 'retry-after': header(clock.now()) });
    });
    const beganMs = clock.now();
    await connection.ask({ path: '/users/one/messages' });
    expect(clock.now() - beganMs).toBe(expectedMs);
    await connection.ask({ path: '/users/two/messages' });
    expect(clock.now() - beganMs).toBe(expectedMs);
  });

  it('follows a page or delta to no other address, with a token or without', async () => {
    let asked = 0;
    const { connection } = await serve((_, response) => {
      asked += 1;
      json(response, 200, { value: [], '@odata.nextLink': 'http://169.254.169.254/v1.0/users' });
    });
    const reading = async () => {
      for await (const _ of connection.pages({ path: '/users' }));
    };
    await expect(reading()).rejects.toThrow(/a link to http:\/\/169\.254\.169\.254, which is not its own address/);
    expect(asked).toBe(1);
    const batched = connection.batch([{ path: 'http://169.254.169.254/v1.0/users' }]);
    await expect(batched).rejects.toThrow(/not its own address/);
  });

  it('waits as often as Microsoft 365 asks it to, and longer than eight attempts take', async () => {
    let asked = 0;
    const { connection, clock } = await serve((_, response) => {
      asked += 1;
      if (asked > 20) return json(response, 200, { id: '1' });
      json(response, 429, refusal('TooManyRequests'), { 'retry-after': '30' });
    });
    const beganMs = clock.now();
    expect(await connection.ask({ path: '/users/one/messages' })).toEqual({ id: '1' });
    expect(clock.now() - beganMs).toBe(600_000);
  });

  it.each(['60', '3000000', '1e300'])(
    'gives up what is put off for more than a quarter of an hour in all, and says so: %s seconds',
    async (seconds) => {
      const { connection, clock } = await serve((_, response) =>
        json(response, 503, refusal('ServiceUnavailable'), { 'retry-after': seconds }),
      );
      const beganMs = clock.now();
      const asking = connection.ask({ path: '/users/one/messages' });
      await expect(asking).rejects.toThrow(/wants to be asked again at .* only/);
      expect(clock.now() - beganMs).toBeLessThanOrEqual(15 * 60_000);
    },
  );

  it('takes a pause that is over when it comes for none', async () => {
    let asked = 0;
    const { connection, clock } = await serve((_, response) => {
      asked += 1;
      json(response, 503, refusal('ServiceUnavailable'), { 'retry-after': '0' });
    });
    await expect(connection.ask({ path: '/users/one/messages' })).rejects.toMatchObject({ code: 'source-unreachable' });
    expect([asked, clock.sleeps.length]).toEqual([8, 7]);
  });

  it('refuses a reply that is larger than the limit, and says so', async () => {
    const { connection } = await serve((_, response) => {
      response.write('{"value":"');
      const piece = Buffer.alloc(2 ** 20, 'x');
      const more = () => {
        while (!response.destroyed && response.write(piece));
        response.once('drain', more);
      };
      more();
    });
    const asking = connection.ask({ path: '/users/one/messages', replyBytesMax: 4 * 2 ** 20 });
    await expect(asking).rejects.toThrow(/more than 4 MB/);
  });

  it('tries again after 5xx, garbage and a cut, with pauses that grow', async () => {
    const ways: Answer[] = [
      (_, response) => json(response, 503, refusal('ServiceUnavailable')),
      (_, response) => response.end('<html>'),
      (request) => request.socket.destroy(),
      (_, response) => json(response, 200, { value: [{ id: '1' }] }),
    ];
    const { connection, clock } = await serve((...call) => ways.shift()?.(...call));
    expect((await connection.page({ path: '/users' })).value).toEqual([{ id: '1' }]);
    const [first = 0, second = 0, third = 0] = clock.sleeps;
    expect(first).toBeGreaterThanOrEqual(250);
    expect(first).toBeLessThanOrEqual(500);
    expect(second).toBeGreaterThanOrEqual(500);
    expect(third).toBeGreaterThanOrEqual(1_000);
  });

  it('does not repeat a POST whose outcome is unknown', async () => {
    let asked = 0;
    const { connection } = await serve((request) => {
      asked += 1;
      request.socket.destroy();
    });
    const call = { method: 'POST', path: '/users/one/messages', body: {} } as const;
    await expect(connection.ask(call)).rejects.toMatchObject({ code: 'source-unreachable' });
    expect(asked).toBe(1);
  });

  it('never has more than 4 requests to a mailbox under way, and more than that to two', async () => {
    const inFlight = new Map<string, number>();
    let peak = 0;
    let peakOfAll = 0;
    const { connection } = await serve((request, response) => {
      const key = request.url?.split('/')[3] ?? '';
      inFlight.set(key, (inFlight.get(key) ?? 0) + 1);
      peak = Math.max(peak, inFlight.get(key) ?? 0);
      peakOfAll = Math.max(
        peakOfAll,
        [...inFlight.values()].reduce((sum, one) => sum + one, 0),
      );
      setImmediate(() => {
        inFlight.set(key, (inFlight.get(key) ?? 0) - 1);
        json(response, 200, {});
      });
    });
    const mailboxes = ['one', 'two'].flatMap((name) => Array.from({ length: 30 }, () => `/users/${name}/messages`));
    await Promise.all(mailboxes.map((path) => connection.ask({ path })));
    expect(peak).toBeLessThanOrEqual(4);
    expect(peakOfAll).toBeGreaterThan(4);
  });

  it('spreads work over its applications', async () => {
    const used = new Set<string | undefined>();
    const { connection } = await serve(
      (request, response) => {
        used.add(request.headers.authorization);
        json(response, 200, {});
      },
      {
        applications: [
          { clientId: 'a', secret: 's' },
          { clientId: 'b', secret: 's' },
        ],
      },
    );
    await Promise.all(Array.from({ length: 8 }, () => connection.ask({ path: '/users/one/messages' })));
    expect(used.size).toBe(2);
  });

  it('sends batches of 20, chained for a mailbox, and again only the parts that failed in passing', async () => {
    const sent: { id: string; url: string; dependsOn?: string[] }[][] = [];
    const { connection } = await serve((_, response, body) => {
      const { requests } = JSON.parse(body);
      sent.push(requests);
      const responses = requests.map(({ id, url }: { id: string; url: string }) => {
        const isFirst = sent.length === 1;
        if (url.endsWith('/3') && isFirst) return { id, status: 429, headers: { 'Retry-After': '2' }, body: {} };
        if (Number(id) > 3 && isFirst) return { id, status: 424, body: {} };
        if (url.endsWith('/7')) return { id, status: 404, body: refusal('ErrorItemNotFound') };
        const headers = { 'Content-Type': 'text/plain' };
        return { id, status: 200, headers, body: Buffer.from(url).toString('base64') };
      });
      json(response, 200, { responses: responses.reverse() });
    });
    const calls = Array.from({ length: 25 }, (_, index) => ({ path: `/users/one/messages/${index}` }));
    const replies = await connection.batch(calls);
    expect(sent.every((requests) => requests.length <= 20)).toBe(true);
    expect(sent[0]?.[1]?.dependsOn).toEqual(['0']);
    expect(replies.map((reply) => ('error' in reply ? reply.error.code : String(reply.body)))).toEqual(
      calls.map(({ path }) => (path.endsWith('/7') ? 'not-found' : path)),
    );
    const asked = sent.flat().filter(({ url }) => url === '/users/one/messages/2');
    expect(asked).toHaveLength(1);
  });

  it.each([2, 3, 4])('gives bytes, JSON and refusals of %i parts of a batch as what they are', async (count) => {
    const [long, short] = [Buffer.alloc(1_000, 'ä'), Buffer.from('ä')];
    const headers = { 'Content-Type': 'text/plain' };
    const text = long.toString('base64');
    const responses = [
      { id: '0', status: 200, headers, body: text },
      { body: short.toString('base64'), id: '1', status: 200, headers },
      { id: '2', status: 200, headers: { 'Content-Type': 'application/json' }, body: text },
      { id: '3', status: 404, headers, body: text },
    ].slice(0, count);
    const { connection } = await serve((_, response) => json(response, 200, { responses }));
    const replies = await connection.batch(responses.map(({ id }) => ({ path: `/sites/${id}` })));
    expect(replies.map((reply) => ('error' in reply ? reply.error.code : reply.body))).toEqual(
      [long, short, text, 'not-found'].slice(0, count),
    );
  });

  it('divides a batch that only reads among the free places of a mailbox, and what writes not', async () => {
    const sent: number[] = [];
    const held: (() => void)[] = [];
    const { connection } = await serve((request, response, body) => {
      if (request.method === 'GET') return void held.push(() => json(response, 200, {}));
      const { requests } = JSON.parse(body);
      sent.push(requests.length);
      json(response, 200, { responses: requests.map(({ id }: { id: string }) => ({ id, status: 200, body: {} })) });
    });
    const reads = Array.from({ length: 20 }, (_, index) => ({ path: `/users/one/messages/${index}` }));
    await connection.batch(reads);
    expect(sent.splice(0)).toEqual([5, 5, 5, 5]);
    await connection.batch(reads.slice(0, 6));
    expect(sent.splice(0)).toEqual([4, 2]);
    await connection.batch(reads.map((call) => ({ ...call, method: 'PATCH' as const, body: {} })));
    expect(sent.splice(0)).toEqual([20]);
    const others = [1, 2, 3].map(() => connection.ask({ path: '/users/one/mailFolders' }));
    await connection.batch(reads);
    expect(sent).toEqual([20]);
    await expect.poll(() => held.length).toBe(3);
    for (const answer of held) answer();
    await Promise.all(others);
  });

  it('gives each part of a batch its own error, and refuses to mix workloads in one', async () => {
    const { connection } = await serve((_, response) => json(response, 200, { responses: [] }));
    const calls = [{ path: '/users/one/messages/1' }, { path: '/users/two/messages/1' }];
    await expect(connection.batch(calls)).rejects.toThrow(/of one workload/);
  });
});

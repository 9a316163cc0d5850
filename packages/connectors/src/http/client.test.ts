import { afterEach, describe, expect, it } from 'vitest';
import type { ConnectorContext } from '../base/connector-context.ts';
import { quiet, testContext } from '../testing/context.ts';
import type { Answer, Vendor } from '../testing/vendor.ts';
import { answerJson, makeCertificate, startVendor } from '../testing/vendor.ts';
import { openHttpClient } from './client.ts';
import type { HttpRequest } from './message.ts';

const SECRET = 'Bearer very-secret-key';
const running: Vendor[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((vendor) => vendor.stop()));
});

async function start(answer: Answer, tls?: { key: string; cert: string }): Promise<Vendor> {
  const vendor = await startVendor(answer, tls);
  running.push(vendor);
  return vendor;
}

function get(url: URL, overrides: Partial<HttpRequest> = {}): HttpRequest {
  return { method: 'GET', url, headers: { authorization: SECRET }, body: null, isIdempotent: true, ...overrides };
}

function open(context: ConnectorContext, thumbprint: string | null = null) {
  return openHttpClient(context, { thumbprint });
}

describe('a reply', () => {
  it('is returned whole with its status, and carries the request as it was given', async () => {
    const vendor = await start((_, reply) => answerJson(reply, { ok: true }, 418, { 'x-one': '1' }));
    const reply = await open(testContext())(get(new URL('/a?b=c', vendor.url)), quiet());
    expect(reply.status).toBe(418);
    expect(reply.headers['x-one']).toBe('1');
    expect(JSON.parse(Buffer.from(reply.body).toString())).toEqual({ ok: true });
    expect(vendor.requests[0]).toMatchObject({ method: 'GET', target: '/a?b=c', headers: { authorization: SECRET } });
  });

  it('is cut when it grows past the limit, long before it would end', async () => {
    let sentBytes = 0;
    const vendor = await start((_, reply) => {
      const more = (): void => {
        while (!reply.destroyed && reply.write(Buffer.alloc(65_536))) sentBytes += 65_536;
      };
      reply.on('drain', more);
      more();
    });
    const send = open(testContext({ limits: { responseSizeBytesMax: 1_000_000 } }));
    await expect(send(get(vendor.url), quiet())).rejects.toMatchObject({
      kind: 'bad-reply',
      message: expect.stringContaining('larger than 1000000 bytes'),
    });
    expect(sentBytes).toBeLessThan(64 * 1024 * 1024);
    expect(vendor.requests).toHaveLength(1);
  });

  it.each([301, 303, 307, 308])('%i is handed back too, however private the place it points to', async (status) => {
    const location = 'http://169.254.169.254/latest/meta-data/';
    const vendor = await start((_, reply) => void reply.writeHead(status, { location }).end());
    const reply = await open(testContext())(get(vendor.url), quiet());
    expect(reply).toMatchObject({ status, headers: { location } });
  });

  it('with a redirect is handed back, and nothing is sent to where it points', async () => {
    const elsewhere = await start((_, reply) => answerJson(reply, {}));
    const vendor = await start((_, reply) => void reply.writeHead(302, { location: elsewhere.url.href }).end());
    expect((await open(testContext())(get(vendor.url), quiet())).status).toBe(302);
    expect(elsewhere.requests).toHaveLength(0);
  });
});

describe('time limits', () => {
  it('end a vendor that accepts and never answers', async () => {
    const vendor = await start(() => {});
    const send = open(testContext({ limits: { requestTimeoutMs: 1_000 } }));
    await expect(send(get(vendor.url), quiet())).rejects.toMatchObject({
      kind: 'not-reachable',
      message: expect.stringContaining('no whole answer within 1000 ms'),
    });
    expect(vendor.requests).toHaveLength(1);
  });

  it('end a vendor that begins to answer and then hangs', async () => {
    const vendor = await start((_, reply) => void reply.write('{"data":['));
    const send = open(testContext({ limits: { requestTimeoutMs: 60 } }));
    await expect(send(get(vendor.url), quiet())).rejects.toMatchObject({ kind: 'not-reachable' });
  });

  it('end all attempts together when they take too long', async () => {
    const vendor = await start((_, reply) => void reply.writeHead(503).end());
    const wait: ConnectorContext['wait'] = (_, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const send = open(testContext({ wait, limits: { overallTimeoutMs: 60 } }));
    await expect(send(get(vendor.url), quiet())).rejects.toMatchObject({
      kind: 'not-reachable',
      message: expect.stringContaining('within 60 ms'),
    });
  });

  it('an abort ends a request at once with the reason the caller gave', async () => {
    const stop = new AbortController();
    const reason = new Error('the program is stopping');
    const vendor = await start(() => stop.abort(reason));
    await expect(open(testContext())(get(vendor.url), stop.signal)).rejects.toBe(reason);
  });
});

describe('repeating', () => {
  it('asks again after temporary faults, waiting longer each time, half of it by chance', async () => {
    const vendor = await start((_, reply, index) => void reply.writeHead(index < 3 ? 503 : 200).end());
    const context = testContext();
    expect((await open(context)(get(vendor.url), quiet())).status).toBe(200);
    expect(context.waits).toHaveLength(3);
    context.waits.forEach((waitedMs, index) => {
      expect(waitedMs).toBeGreaterThanOrEqual(250 * 2 ** index);
      expect(waitedMs).toBeLessThan(500 * 2 ** index);
    });
  });

  it('asks again when the connection is cut, and gives up after the last attempt with what happened', async () => {
    const vendor = await start((_, reply) => void reply.destroy());
    await expect(open(testContext())(get(vendor.url), quiet())).rejects.toMatchObject({
      kind: 'not-reachable',
      message: expect.stringContaining('cut'),
    });
    expect(vendor.requests).toHaveLength(4);
  });

  it('asks again when a reply breaks off in the middle', async () => {
    const vendor = await start((_, reply, index) => {
      if (index > 0) return answerJson(reply, { whole: true });
      reply.writeHead(200, { 'content-length': '1000' });
      reply.write('{"half":', () => reply.destroy());
    });
    const reply = await open(testContext())(get(vendor.url), quiet());
    expect(Buffer.from(reply.body).toString()).toBe('{"whole":true}');
  });

  it('sends what must not happen twice only once', async () => {
    const vendor = await start((_, reply) => void reply.writeHead(503).end());
    const reply = await open(testContext())(get(vendor.url, { method: 'POST', isIdempotent: false }), quiet());
    expect(reply.status).toBe(503);
    expect(vendor.requests).toHaveLength(1);
  });

  it('does not repeat refusals', async () => {
    const vendor = await start((_, reply) => void reply.writeHead(403).end());
    await open(testContext())(get(vendor.url), quiet());
    expect(vendor.requests).toHaveLength(1);
  });
});

describe('Retry-After', () => {
  it('is waited for exactly, not a moment less', async () => {
    const vendor = await start(
      (_, reply, index) => void reply.writeHead(index ? 200 : 429, { 'retry-after': '7' }).end(),
    );
    const context = testContext();
    await open(context)(get(vendor.url), quiet());
    expect(context.waits).toEqual([7000]);
  });

  it('as a date is waited for exactly', async () => {
    const headers = { 'retry-after': 'Tue, 10 Mar 2026 12:00:42 GMT' };
    const vendor = await start((_, reply, index) => void reply.writeHead(index ? 200 : 503, headers).end());
    const context = testContext();
    await open(context)(get(vendor.url), quiet());
    expect(context.waits).toEqual([42_000]);
  });

  it('delays also the requests that were waiting for their turn when it came', async () => {
    let nowMs = 0;
    const askedAt: number[] = [];
    const vendor = await start(({ target }, reply) => {
      if (target === '/probe') return answerJson(reply, {});
      askedAt.push(nowMs);
      reply.writeHead(askedAt.length > 1 ? 200 : 429, { 'retry-after': '7' }).end();
    });
    const send = open({
      ...testContext({ limits: { concurrentRequestsMax: 1 } }),
      now: () => new Date(nowMs),
      // The clock goes on only when whatever was sent by then has arrived.
      wait: async (durationMs) => {
        const untilMs = nowMs + durationMs;
        for (let probe = 0; probe < 5; probe += 1) await fetch(new URL('/probe', vendor.url));
        nowMs = Math.max(nowMs, untilMs);
      },
    });
    const replies = await Promise.all([1, 2, 3].map(() => send(get(vendor.url), quiet())));
    expect(replies.map((reply) => reply.status)).toEqual([200, 200, 200]);
    expect(askedAt).toEqual([0, 7000, 7000, 7000]);
  });

  it('longer than a call is worth fails at once as throttled and says how long', async () => {
    const vendor = await start((_, reply) => void reply.writeHead(429, { 'retry-after': '3600' }).end());
    const context = testContext();
    const send = open(context);
    await expect(send(get(vendor.url), quiet())).rejects.toMatchObject({ kind: 'throttled', retryAfterMs: 3_600_000 });
    expect(context.waits).toEqual([]);
    // Every other request of the connection keeps the pause too, without asking the vendor.
    await expect(send(get(vendor.url), quiet())).rejects.toMatchObject({ kind: 'throttled' });
    expect(vendor.requests).toHaveLength(1);
  });

  it('that cannot be read counts as none: the usual waits, and throttled in the end', async () => {
    const vendor = await start((_, reply) => void reply.writeHead(429, { 'retry-after': 'soon' }).end());
    const context = testContext();
    await expect(open(context)(get(vendor.url), quiet())).rejects.toMatchObject({
      kind: 'throttled',
      retryAfterMs: null,
    });
    expect(context.waits).toHaveLength(3);
  });
});

describe('where it connects to', () => {
  it.each(['127.0.0.1', '[::1]', '2130706433', '0x7f.1', 'localhost'])(
    'does not call %s unless allowed',
    async (host) => {
      const vendor = await start((_, reply) => answerJson(reply, {}));
      const send = open(testContext({ allowPrivateAddresses: false }));
      await expect(send(get(new URL(`http://${host}:${vendor.url.port}/`)), quiet())).rejects.toMatchObject({
        kind: 'not-reachable',
        message: expect.stringContaining('private network'),
      });
      expect(vendor.requests).toHaveLength(0);
    },
  );

  it('looks a name up once and connects to that answer, so a second answer cannot lead elsewhere', async () => {
    const vendor = await start((_, reply) => answerJson(reply, {}));
    let lookups = 0;
    const resolveName = async () => {
      lookups += 1;
      return [{ address: lookups === 1 ? '127.0.0.1' : '192.0.2.1', family: 4 }];
    };
    const send = open(testContext({ resolveName }));
    expect((await send(get(new URL(`http://rebinding.test:${vendor.url.port}/`)), quiet())).status).toBe(200);
    expect(lookups).toBe(1);
  });

  it('says that nothing listens, and that a name is unknown', async () => {
    const vendor = await startVendor(() => {});
    await vendor.stop();
    await expect(open(testContext())(get(vendor.url), quiet())).rejects.toMatchObject({
      kind: 'not-reachable',
      message: expect.stringContaining('nothing listens there'),
    });
    const unknown = async () => {
      throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
    };
    const send = open(testContext({ resolveName: unknown }));
    await expect(send(get(new URL('https://no-such-name.test/')), quiet())).rejects.toMatchObject({
      message: expect.stringContaining('the name is not known'),
    });
  });

  it('says that something other than HTTP answers', async () => {
    const vendor = await start((_, reply) => void reply.socket?.end('SSH-2.0-OpenSSH_9.9\r\n'));
    await expect(open(testContext())(get(vendor.url), quiet())).rejects.toMatchObject({ kind: 'bad-reply' });
  });
});

describe('requests at the same time', () => {
  it('are never more than the connection may have, and all get their answer', async () => {
    const waiting: (() => void)[] = [];
    let most = 0;
    const vendor = await start((_, reply) => {
      waiting.push(() => answerJson(reply, {}));
      most = Math.max(most, waiting.length);
      // Answered when no further one can come: the cap is reached, or these are the last.
      if (waiting.length === 3 || vendor.requests.length === 8) for (const answer of waiting.splice(0)) answer();
    });
    const send = open(testContext({ limits: { concurrentRequestsMax: 3 } }));
    const replies = await Promise.all(Array.from({ length: 8 }, () => send(get(vendor.url), quiet())));
    expect(replies.every((reply) => reply.status === 200)).toBe(true);
    expect(most).toBe(3);
  });
});

describe('certificates', () => {
  it('refuses a self-signed one without a thumbprint, and says what to do', async () => {
    const vendor = await start((_, reply) => answerJson(reply, {}), await makeCertificate());
    await expect(open(testContext())(get(vendor.url), quiet())).rejects.toMatchObject({
      kind: 'not-reachable',
      message: expect.stringContaining('enter its thumbprint'),
    });
    expect(vendor.requests).toHaveLength(0);
  });

  it('accepts exactly the pinned one, and sends nothing to another', async () => {
    const { X509Certificate } = await import('node:crypto');
    const tls = await makeCertificate();
    const vendor = await start((_, reply) => answerJson(reply, {}), tls);
    const thumbprint = new X509Certificate(tls.cert).fingerprint256.replaceAll(':', '');
    expect((await open(testContext(), thumbprint)(get(vendor.url), quiet())).status).toBe(200);

    const wrong = open(testContext(), 'AB'.repeat(20));
    await expect(wrong(get(vendor.url), quiet())).rejects.toMatchObject({
      kind: 'not-reachable',
      message: expect.stringContaining('AB'.repeat(20)),
    });
    expect(vendor.requests).toHaveLength(1);
  });

  it('refuses a pinned connection that is not encrypted', async () => {
    const vendor = await start((_, reply) => answerJson(reply, {}));
    await expect(open(testContext(), 'AB'.repeat(20))(get(vendor.url), quiet())).rejects.toMatchObject({
      kind: 'not-reachable',
    });
    expect(vendor.requests).toHaveLength(0);
  });
});

describe('the log', () => {
  it('has a line an attempt, and never a credential, a query or a body', async () => {
    const vendor = await start((_, reply, index) => {
      if (index === 0) reply.destroy();
      else answerJson(reply, { token: 'from-the-reply' }, index === 1 ? 503 : 200);
    });
    const context = testContext();
    const url = new URL('/path?key=in-the-query', vendor.url);
    await open(context)(get(url, { method: 'POST', body: 'password=in-the-body' }), quiet());
    expect(context.logged().split('\n')).toHaveLength(3);
    expect(context.logged()).toContain('/path');
    expect(context.logged()).not.toMatch(/very-secret-key|in-the-query|in-the-body|from-the-reply/);
  });
});

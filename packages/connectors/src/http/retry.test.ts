import { describe, expect, it } from 'vitest';
import { ConnectorError } from '../base/connector-error.ts';
import { quiet, testContext } from '../testing/context.ts';
import type { HttpReply, HttpRequest } from './message.ts';
import { type RetryOptions, withRetry } from './retry.ts';
import { TransportError } from './transport-error.ts';

const request: HttpRequest = {
  method: 'GET',
  url: new URL('http://vendor.test/'),
  headers: {},
  body: null,
  isIdempotent: true,
};
const reply = (status: number, headers: HttpReply['headers'] = {}): HttpReply => ({
  status,
  headers,
  body: new Uint8Array(),
});
const cut = new TransportError('not-reachable', 'cut', { isTransient: true });

/** A sender whose outcomes are these in turn; the last one stays. */
function repeating(outcomes: (HttpReply | Error)[], options: Partial<RetryOptions> = {}) {
  const context = testContext();
  let sent = 0;
  const send = withRetry(
    async () => {
      const outcome = outcomes[Math.min(sent, outcomes.length - 1)] ?? reply(200);
      sent += 1;
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
    {
      attemptsMax: 4,
      backoffMs: 500,
      backoffMsMax: 15_000,
      now: () => context.now(),
      wait: context.wait ?? (async () => {}),
      random: () => 0.5,
      isTransientReply: () => false,
      ...options,
    },
  );
  return { send: (given = request, signal = quiet()) => send(given, signal), sent: () => sent, waits: context.waits };
}

describe('what is asked again', () => {
  it.each([408, 425, 502, 503, 504])('a reply %i, which is temporary', async (status) => {
    const { send, sent } = repeating([reply(status), reply(200)]);
    expect((await send()).status).toBe(200);
    expect(sent()).toBe(2);
  });

  it.each([200, 301, 400, 401, 403, 404, 500, 501])('not a reply %i, which stays what it is', async (status) => {
    const { send, sent } = repeating([reply(status)]);
    expect((await send()).status).toBe(status);
    expect(sent()).toBe(1);
  });

  it('a reply that the vendor itself says may succeed later', async () => {
    const { send, sent } = repeating([reply(400), reply(200)], { isTransientReply: ({ status }) => status === 400 });
    expect((await send()).status).toBe(200);
    expect(sent()).toBe(2);
  });

  it('a way that was cut, and not one that will not open', async () => {
    const { send } = repeating([cut, reply(200)]);
    expect((await send()).status).toBe(200);
    const refused = new TransportError('not-reachable', 'the certificate is another', { isTransient: false });
    const shut = repeating([refused]);
    await expect(shut.send()).rejects.toBe(refused);
    expect(shut.sent()).toBe(1);
  });

  it('never an error of our own, which would be the same again', async () => {
    const fault = new TypeError('no such method');
    const { send, sent } = repeating([fault]);
    await expect(send()).rejects.toBe(fault);
    expect(sent()).toBe(1);
  });

  it('never what must not happen twice, whatever comes back', async () => {
    for (const outcome of [reply(503), cut]) {
      const { send, sent } = repeating([outcome, reply(200)]);
      await send({ ...request, method: 'POST', isIdempotent: false }).catch(() => undefined);
      expect(sent()).toBe(1);
    }
  });
});

describe('the waits between', () => {
  it('double each time and end at their bound', async () => {
    const { send, waits } = repeating([reply(503)], { attemptsMax: 9, random: () => 1 - Number.EPSILON });
    expect((await send()).status).toBe(503);
    expect(waits.map(Math.round)).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000]);
  });

  it('are half by chance, so that connections that failed together come back apart', async () => {
    const least = repeating([cut], { random: () => 0 });
    await expect(least.send()).rejects.toBe(cut);
    expect(least.waits).toEqual([250, 500, 1000]);
  });

  it('are left to the vendor where it names a time', async () => {
    const { send, waits } = repeating([reply(429, { 'retry-after': '20' }), reply(200)]);
    expect((await send()).status).toBe(200);
    expect(waits).toEqual([]);
  });

  it('end with the reason given when the request is aborted meanwhile', async () => {
    const stop = new AbortController();
    const { send, sent } = repeating([reply(503)], {
      wait: async (_ms, signal) => {
        stop.abort(new Error('the program is stopping'));
        signal.throwIfAborted();
      },
    });
    await expect(send(request, stop.signal)).rejects.toThrow('the program is stopping');
    expect(sent()).toBe(1);
  });
});

it('a vendor that refuses for too many requests to the last is throttled, with the time it named', async () => {
  const { send, sent } = repeating([reply(429, { 'retry-after': '20' })]);
  const error = await send().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ConnectorError);
  expect(error).toMatchObject({ kind: 'throttled', retryAfterMs: 20_000 });
  expect(sent()).toBe(4);
});

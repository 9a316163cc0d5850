import { describe, expect, it } from 'vitest';
import { quiet, testContext } from '../testing/context.ts';
import type { HttpReply, HttpRequest } from './message.ts';
import { isThrottled, withThrottle } from './throttle.ts';

const request: HttpRequest = {
  method: 'GET',
  url: new URL('http://vendor.test/jobs?key=secret'),
  headers: {},
  body: null,
  isIdempotent: true,
};

function reply(status: number, retryAfter?: string): HttpReply {
  return { status, headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter }, body: new Uint8Array() };
}

/** A throttled connection whose vendor gives these replies in turn, and 200 after them. */
function connection(replies: HttpReply[], retryAfterMsMax = 60_000) {
  const context = testContext();
  const sentAt: number[] = [];
  const began = context.now().getTime();
  const now = () => context.now();
  const wait = context.wait ?? (async () => {});
  const send = withThrottle(
    async () => {
      sentAt.push(now().getTime() - began);
      return replies.shift() ?? reply(200);
    },
    { retryAfterMsMax, now, wait },
  );
  return { send: () => send(request, quiet()), sentAt, context };
}

describe('what counts as a refusal for too many requests', () => {
  it.each([
    [reply(429), true],
    [reply(429, '5'), true],
    [reply(503, '5'), true],
    [reply(503), false],
    [reply(500, '5'), false],
    [reply(200, '5'), false],
  ])('%j: %s', (given, expected) => {
    expect(isThrottled(given)).toBe(expected);
  });
});

describe('the pause of a connection', () => {
  it('applies to whatever is sent next, not only for the request that was refused', async () => {
    const { send, sentAt } = connection([reply(429, '30')]);
    expect((await send()).status).toBe(429);
    expect((await send()).status).toBe(200);
    expect(sentAt).toEqual([0, 30_000]);
  });

  it('is as long as the longest that was asked for: a shorter one that comes later does not end it', async () => {
    const { send, sentAt } = connection([reply(429, '40'), reply(429, '10')]);
    await Promise.all([send(), send()]);
    await send();
    expect(sentAt).toEqual([0, 0, 40_000]);
  });

  it('that grows while a request waits delays that request too', async () => {
    let nowMs = 0;
    const sentAt: number[] = [];
    const late = Promise.withResolvers<HttpReply>();
    const replies = [late.promise, Promise.resolve(reply(429, '5'))];
    const throttled = withThrottle(
      () => {
        sentAt.push(nowMs);
        return replies.shift() ?? Promise.resolve(reply(200));
      },
      {
        retryAfterMsMax: 60_000,
        now: () => new Date(nowMs),
        wait: async (durationMs) => {
          late.resolve(reply(429, '30'));
          await slow;
          nowMs += durationMs;
        },
      },
    );
    const slow = throttled(request, quiet());
    await throttled(request, quiet());
    expect((await throttled(request, quiet())).status).toBe(200);
    expect(sentAt).toEqual([0, 0, 30_000]);
  });

  it('is over when its time is over, and no request waits again', async () => {
    const { send, context } = connection([reply(429, '5')]);
    await send();
    await send();
    await send();
    expect(context.waits).toEqual([5000]);
  });

  it('that is too long for a call is reported with the time that is left, and the request without its query', async () => {
    const { send, sentAt } = connection([reply(503, 'Tue, 10 Mar 2026 13:00:00 GMT')]);
    await send();
    const error = await send().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: 'throttled', retryAfterMs: 3_600_000 });
    expect(String(error)).toContain('vendor.test');
    expect(String(error)).toMatch(/rate-limited by the vendor, retry after 3600 s$/);
    expect(String(error)).not.toContain('secret');
    expect(sentAt).toEqual([0]);
  });

  it('of exactly the longest that a call may wait is waited for', async () => {
    const { send, context } = connection([reply(429, '60')]);
    await send();
    expect((await send()).status).toBe(200);
    expect(context.waits).toEqual([60_000]);
  });

  it('is not begun by a date that has passed', async () => {
    const { send, context } = connection([reply(429, 'Tue, 10 Mar 2026 11:00:00 GMT')]);
    await send();
    await send();
    expect(context.waits).toEqual([]);
  });
});

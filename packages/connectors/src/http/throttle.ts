import { ConnectorError } from '../base/connector-error.ts';
import type { HttpReply, HttpRequest, Send } from './message.ts';
import { describeRequest } from './message.ts';
import { parseRetryAfterMs } from './retry-after.ts';
import type { Wait } from './wait.ts';

export interface ThrottleOptions {
  retryAfterMsMax: number;
  now(): Date;
  wait: Wait;
}

/** Replies that say "not now": 429 always, 503 when it comes with a time (RFC 9110, 15.6.4). */
export function isThrottled(reply: HttpReply): boolean {
  return reply.status === 429 || (reply.status === 503 && reply.headers['retry-after'] !== undefined);
}

/**
 * Obeys `Retry-After` for the whole connection: when one request has to wait, none is sent before that time, neither
 * its repetition nor another. A request that would have to wait longer than `retryAfterMsMax` fails as `throttled` at
 * once, with the time left in `retryAfterMs`.
 */
export function withThrottle(send: Send, { retryAfterMsMax, now, wait }: ThrottleOptions): Send {
  let pausedUntilMs = 0;

  return async (request, signal) => {
    // Again when the pause has grown while this request waited: another one has to wait longer.
    for (let heldUntilMs = 0; heldUntilMs < pausedUntilMs; ) {
      heldUntilMs = pausedUntilMs;
      const leftMs = heldUntilMs - now().getTime();
      if (leftMs > retryAfterMsMax) throw tooLong(request, leftMs);
      if (leftMs > 0) await wait(leftMs, signal);
    }

    const reply = await send(request, signal);
    if (isThrottled(reply)) {
      const retryAfterMs = parseRetryAfterMs(reply.headers['retry-after'], now()) ?? 0;
      pausedUntilMs = Math.max(pausedUntilMs, now().getTime() + retryAfterMs);
    }
    return reply;
  };
}

function tooLong(request: HttpRequest, leftMs: number): ConnectorError {
  const text = `${describeRequest(request)}: rate-limited by the vendor, retry after ${Math.ceil(leftMs / 1000)} s`;
  return new ConnectorError('throttled', text, { retryAfterMs: leftMs });
}

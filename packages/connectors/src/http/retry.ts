import { ConnectorError } from '../base/connector-error.ts';
import type { HttpReply, HttpRequest, Send } from './message.ts';
import { describeRequest } from './message.ts';
import { parseRetryAfterMs } from './retry-after.ts';
import { isThrottled } from './throttle.ts';
import { TransportError } from './transport-error.ts';
import type { Wait } from './wait.ts';

export interface RetryOptions {
  attemptsMax: number;
  backoffMs: number;
  backoffMsMax: number;
  now(): Date;
  wait: Wait;
  /** A number from 0 up to, not including, 1. */
  random(): number;
  /** Whether the vendor says in its own words that the same request may succeed later. */
  isTransientReply(reply: HttpReply): boolean;
}

/** Statuses of a temporary fault, not of a wrong request. 500 is not among them: vendors use it for lasting faults too. */
const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 425, 502, 503, 504]);

/**
 * Repeats idempotent requests that failed for the moment, with growing waits of which half is chance, so that many
 * connections that failed together do not come back together. A throttled request is repeated when `withThrottle`, which
 * must be below this, lets it; throttled to the last attempt it fails as `throttled`. Other replies are returned as they are.
 */
export function withRetry(send: Send, options: RetryOptions): Send {
  return async (request, signal) => {
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt >= options.attemptsMax || !request.isIdempotent;
      const outcome = await attemptOnce(send, request, signal, options);
      if ('reply' in outcome) {
        if (isThrottled(outcome.reply) && isLast) throw throttledError(request, reportedDelayMs(outcome, options));
        if (isLast || !outcome.isTransient) return outcome.reply;
      } else if (isLast || !outcome.isTransient) {
        throw outcome.error;
      }
      if (reportedDelayMs(outcome, options) === null) await options.wait(backoffMs(attempt, options), signal);
    }
  };
}

type Outcome = { reply: HttpReply; isTransient: boolean } | { error: unknown; isTransient: boolean };

async function attemptOnce(
  send: Send,
  request: HttpRequest,
  signal: AbortSignal,
  options: RetryOptions,
): Promise<Outcome> {
  try {
    const reply = await send(request, signal);
    const isTransient = isThrottled(reply) || TRANSIENT_STATUSES.has(reply.status) || options.isTransientReply(reply);
    return { reply, isTransient };
  } catch (error) {
    signal.throwIfAborted();
    return { error, isTransient: error instanceof TransportError && error.isTransient };
  }
}

function backoffMs(attempt: number, { backoffMs: baseMs, backoffMsMax, random }: RetryOptions): number {
  const fullMs = Math.min(backoffMsMax, baseMs * 2 ** (attempt - 1));
  return fullMs / 2 + (fullMs / 2) * random();
}

/** How long the vendor itself asked to wait; `withThrottle` does that waiting. */
function reportedDelayMs(outcome: Outcome, { now }: RetryOptions): number | null {
  if (!('reply' in outcome) || !isThrottled(outcome.reply)) return null;
  return parseRetryAfterMs(outcome.reply.headers['retry-after'], now());
}

function throttledError(request: HttpRequest, retryAfterMs: number | null): ConnectorError {
  const text = `${describeRequest(request)}: the vendor still refuses for too many requests; it is asked again later`;
  return new ConnectorError('throttled', text, retryAfterMs === null ? {} : { retryAfterMs });
}

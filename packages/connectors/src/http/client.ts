import { resolveName } from '../base/addresses.ts';
import type { ConnectorContext } from '../base/connector-context.ts';
import { withConcurrencyCap } from './concurrency.ts';
import { openConnection } from './connection.ts';
import { HTTP_LIMITS } from './limits.ts';
import { withLog } from './log.ts';
import type { HttpReply, Send } from './message.ts';
import { withRetry } from './retry.ts';
import { sendThroughConnection } from './send.ts';
import { withThrottle } from './throttle.ts';
import { withTimeLimit } from './time-limit.ts';
import { waitReally } from './wait.ts';

export interface HttpClientOptions {
  /** As `parseThumbprint` returns it; `null`: the usual check of certificates. */
  thumbprint: string | null;
  /** Whether a reply says in the vendor's own words that the same request may succeed later. Default: never. */
  isTransientReply?: (reply: HttpReply) => boolean;
}

/**
 * The client every connector sends through, one a connection (so that limits belong to it), with every wrapper in its place,
 * innermost first: one attempt is limited in time and logged, obeys the vendor's pauses, waits its turn, is repeated,
 * and all of it together has a limit. Opens no connection before the first request; idle connections close themselves.
 */
export function openHttpClient(context: ConnectorContext, options: HttpClientOptions): Send {
  const limits = { ...HTTP_LIMITS, ...context.limits };
  const wait = context.wait ?? waitReally;
  const now = () => context.now();
  const connection = openConnection({
    connectTimeoutMs: limits.connectTimeoutMs,
    allowPrivateAddresses: context.allowPrivateAddresses,
    thumbprint: options.thumbprint,
    resolveName: context.resolveName ?? resolveName,
  });

  let send = sendThroughConnection(connection, limits.responseSizeBytesMax);
  send = withTimeLimit(send, limits.requestTimeoutMs);
  send = withLog(send, context);
  // Below the line: who has waited in it may find that the vendor has asked for a pause meanwhile.
  send = withThrottle(send, { ...limits, now, wait });
  send = withConcurrencyCap(send, limits.concurrentRequestsMax);
  send = withRetry(send, {
    ...limits,
    now,
    wait,
    random: Math.random,
    isTransientReply: options.isTransientReply ?? never,
  });
  return withTimeLimit(send, limits.overallTimeoutMs);
}

function never(): boolean {
  return false;
}

import type { Send } from './message.ts';
import { describeRequest } from './message.ts';
import { TransportError } from './transport-error.ts';

/** Ends a request that is not answered whole within `timeoutMs`. The caller's own signal keeps its own reason. */
export function withTimeLimit(send: Send, timeoutMs: number): Send {
  return async (request, signal) => {
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      return await send(request, AbortSignal.any([signal, limit]));
    } catch (error) {
      signal.throwIfAborted();
      if (!limit.aborted) throw error;
      // Asking again at once would only add to the load of a vendor that is this slow; its caller tries again later.
      throw new TransportError('not-reachable', `${describeRequest(request)}: no whole answer within ${timeoutMs} ms`, {
        isTransient: false,
        cause: error,
      });
    }
  };
}

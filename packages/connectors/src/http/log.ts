import type { ConnectorContext } from '../base/connector-context.ts';
import type { Send } from './message.ts';
import { describeRequest } from './message.ts';

/** Writes one line an attempt: method, address, status or error, duration. Never headers, query or body: they hold secrets. */
export function withLog(send: Send, { log, now }: Pick<ConnectorContext, 'log' | 'now'>): Send {
  return async (request, signal) => {
    const startedAtMs = now().getTime();
    const details = { request: describeRequest(request) };
    try {
      const reply = await send(request, signal);
      const { status, body } = reply;
      const durationMs = now().getTime() - startedAtMs;
      log(status < 400 ? 'debug' : 'warn', 'vendor answered', {
        ...details,
        status,
        durationMs,
        sizeBytes: body.length,
      });
      return reply;
    } catch (error) {
      const durationMs = now().getTime() - startedAtMs;
      const reason = error instanceof Error ? error.message : String(error);
      if (!signal.aborted) log('warn', 'vendor did not answer', { ...details, reason, durationMs });
      throw error;
    }
  };
}

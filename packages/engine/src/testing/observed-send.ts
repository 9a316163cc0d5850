import { type HttpRequest, openTransport, type Send } from '../source/graph/requests/transport.ts';

/**
 * Sends for real.
 * @param onAnswer called after a request was carried out and before its answer is returned; what it throws loses the answer
 */
export function observedSend(onAnswer: (request: HttpRequest) => void | Promise<void>): Send {
  const send = openTransport();
  return async (request) => {
    const reply = await send(request);
    try {
      await onAnswer(request);
    } catch (error) {
      reply.discard();
      throw error;
    }
    return reply;
  };
}

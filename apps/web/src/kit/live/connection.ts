import type { Transport } from '@keepwatch/contract/wire/client';
import type { Clock } from '../clock.ts';

/** Whether the server can be reached, as the last request or the browser says. */
export interface Connection {
  /** Since when nothing has come from the server: the moment of its last answer. `null` while it answers. */
  lostAt(): Date | null;
  subscribe(listener: () => void): () => void;
  /** Listens to what the browser says of its network until the function given back is called. */
  listen(target: EventTarget): () => void;
}

/** Gives the transport back with every request watched: also those of the live events, which are made again and again. */
export function watchConnection(transport: Transport, clock: Clock): { connection: Connection; transport: Transport } {
  let answeredAt = clock.now();
  let isLost = false;
  const listeners = new Set<() => void>();
  const change = (isLostNow: boolean) => {
    if (!isLostNow) answeredAt = clock.now();
    if (isLost === isLostNow) return;
    isLost = isLostNow;
    for (const listener of listeners) listener();
  };
  const lose = () => change(true);
  const watched: typeof fetch = async (input, init) => {
    try {
      const response = await transport.fetch(input, init);
      change(false);
      return response;
    } catch (error) {
      if (init?.signal?.aborted !== true) lose();
      throw error;
    }
  };
  const connection: Connection = {
    lostAt: () => (isLost ? answeredAt : null),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    listen(target) {
      target.addEventListener('offline', lose);
      return () => target.removeEventListener('offline', lose);
    },
  };
  return { connection, transport: { ...transport, fetch: watched } };
}

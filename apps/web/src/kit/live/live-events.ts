import type { LiveEventName } from '@keepwatch/contract/live-events';
import type { Transport } from '@keepwatch/contract/wire/client';
import { readEvents } from './event-stream.ts';

/** The events that the server sends while the page is open. */
export interface LiveEvents {
  /** Calls back at every event of that name, and after a reconnection, as some may have been missed. */
  on(name: LiveEventName, listener: () => void): () => void;
  /** Connects, and connects again whenever the connection ends, until the function given back is called. */
  open(): () => void;
}

const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 60_000;

/** `GET /api/events` as a stream read by fetch, because an `EventSource` cannot carry the bearer token. */
export function createLiveEvents(transport: Transport): LiveEvents {
  // What comes is a text: a newer server may send names that this page does not know.
  const listeners = new Map<string, Set<() => void>>();
  const notify = (name: string) => {
    for (const listener of listeners.get(name) ?? []) listener();
  };
  const notifyAll = () => {
    for (const name of listeners.keys()) notify(name);
  };
  return {
    on(name, listener) {
      const ofName = listeners.get(name) ?? new Set();
      listeners.set(name, ofName.add(listener));
      return () => ofName.delete(listener);
    },
    open() {
      const stop = new AbortController();
      void follow(transport, notify, notifyAll, stop.signal);
      return () => stop.abort();
    },
  };
}

async function follow(
  transport: Transport,
  notify: (name: string) => void,
  notifyAll: () => void,
  signal: AbortSignal,
): Promise<void> {
  let retryMs = RETRY_FIRST_MS;
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    const outcome = await listen(transport, notify, attempt > 0 ? notifyAll : null, signal);
    if (outcome === 'refused') return;
    retryMs = outcome === 'ended' ? RETRY_FIRST_MS : Math.min(retryMs * 2, RETRY_MAX_MS);
    await pause(retryMs, signal);
  }
}

/** One connection: `ended` after it was open, `failed` before that, `refused` if asking again is of no use. */
async function listen(
  transport: Transport,
  notify: (name: string) => void,
  onReconnected: (() => void) | null,
  signal: AbortSignal,
): Promise<'ended' | 'failed' | 'refused'> {
  try {
    const headers = { accept: 'text/event-stream', authorization: `Bearer ${transport.token() ?? ''}` };
    const response = await transport.fetch(`${transport.origin}/api/events`, { headers, signal });
    if (response.status === 401 || response.status === 403 || response.status === 404) return 'refused';
    if (!response.ok || response.body === null) return 'failed';
    onReconnected?.();
    for await (const event of readEvents(response.body)) notify(event.name);
    return 'ended';
  } catch {
    // The connection broke, or was closed by us; either way the caller decides whether to go on.
    return 'failed';
  }
}

/** Waits so long, or until the network is back. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer);
      globalThis.removeEventListener?.('online', go);
      resolve();
    };
    const timer = setTimeout(go, ms);
    globalThis.addEventListener?.('online', go);
    signal.addEventListener('abort', go, { once: true });
  });
}

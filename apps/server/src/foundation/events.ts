import type { LiveEventName } from '@keepwatch/contract/live-events';
import { type SQL, sql } from 'drizzle-orm';
import pg from 'pg';
import { type Connection, execute } from './database.ts';
import { reasonOf } from './errors.ts';
import { gatherEvents } from './event-bursts.ts';
import type { Log } from './log.ts';

/**
 * Live events: a hint to open browsers that something changed, so that they ask again. They carry no tenant data, only
 * names; losing one loses nothing, as every screen also works by reloading.
 */
export interface LiveEvent {
  name: LiveEventName;
  providerId: number;
  /** Of whom it is, and who alone hears it; else all who may see the provider. */
  userId?: string;
}

const CHANNEL = 'keepwatch_live';
/** The database itself announces here the hash of each session that has ended (migration 0009). */
const ENDED_SESSIONS = 'keepwatch_ended_sessions';

/** Publishes with the surrounding transaction: rolled back work is never announced. */
export async function publish(connection: Connection, event: LiveEvent): Promise<void> {
  await execute(connection, publishQuery(event));
}

/** The statement that publishes. */
export function publishQuery(event: LiveEvent): SQL {
  return sql`select pg_notify(${CHANNEL}, ${JSON.stringify(event)})`;
}

export interface LiveEvents {
  /** Calls `listener` for each event until the returned function is called. */
  subscribe(listener: (event: LiveEvent) => void): () => void;
  /** Calls `listener` when the session with this hash has ended, until the returned function is called. */
  onSessionEnded(sessionHash: Buffer, listener: () => void): () => void;
  stop(): Promise<void>;
}

const RECONNECT_MS = 1_000;
/** The first of a burst of events goes out at once; all that follow within this time are one. */
const GATHER_MS = 250;

/** Listens on a connection of its own and connects again when it is lost. */
export async function listenForEvents(url: string, log: Log): Promise<LiveEvents> {
  const listeners = new Set<(event: LiveEvent) => void>();
  const sessionListeners = new Set<(sessionHash: string) => void>();
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: url, application_name: 'keepwatch live events' });
    next.on('notification', ({ channel, payload = '' }) => hear(channel, payload));
    next.on('error', (error) => log.warn({ reason: error.message }, 'the connection for live events was lost'));
    await next.connect();
    // Only an established connection can be lost; `connect` itself reports one that could not be made.
    next.on('end', again);
    await next.query(`LISTEN ${CHANNEL}; LISTEN ${ENDED_SESSIONS}`);
    client = next;
  }

  function again(): void {
    client = null;
    if (stopped || timer !== null) return;
    timer = setTimeout(() => {
      timer = null;
      connect().catch((error) => {
        log.warn({ reason: reasonOf(error) }, 'live events cannot be listened for; trying again');
        again();
      });
    }, RECONNECT_MS);
  }

  const bursts = gatherEvents((payload) => {
    const event: LiveEvent = JSON.parse(payload);
    for (const listener of listeners) listener(event);
  }, GATHER_MS);

  function hear(channel: string, payload: string): void {
    if (channel !== ENDED_SESSIONS) bursts.add(payload);
    else for (const listener of sessionListeners) listener(payload);
  }

  await connect();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    onSessionEnded(sessionHash, listener) {
      const own = sessionHash.toString('hex');
      const onEnded = (ended: string) => {
        if (ended === own) listener();
      };
      sessionListeners.add(onEnded);
      return () => sessionListeners.delete(onEnded);
    },
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      bursts.stop();
      await client?.end();
    },
  };
}

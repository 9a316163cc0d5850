import { sql } from 'drizzle-orm';
import pg from 'pg';
import { type Connection, execute } from './database.ts';
import { reasonOf } from './errors.ts';
import type { Log } from './log.ts';

/**
 * Live events: a hint to open browsers that something changed, so that they ask again. They carry no tenant data, only
 * names; losing one loses nothing, as every screen also works by reloading.
 */
export interface LiveEvent {
  name: 'executions.changed' | 'sync.changed' | 'notifications.changed' | 'companies.changed';
  providerId: number;
}

const CHANNEL = 'keepwatch_live';

/** Publishes with the surrounding transaction: rolled back work is never announced. */
export async function publish(connection: Connection, event: LiveEvent): Promise<void> {
  await execute(connection, sql`select pg_notify(${CHANNEL}, ${JSON.stringify(event)})`);
}

export interface LiveEvents {
  /** Calls `listener` for each event until the returned function is called. */
  subscribe(listener: (event: LiveEvent) => void): () => void;
  stop(): Promise<void>;
}

const RECONNECT_MS = 1_000;
/** The first of a burst of events goes out at once; all that follow within this time are one. */
const GATHER_MS = 250;

/** Listens on a connection of its own and connects again when it is lost. */
export async function listenForEvents(url: string, log: Log): Promise<LiveEvents> {
  const listeners = new Set<(event: LiveEvent) => void>();
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | null = null;
  let stopped = false;

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: url, application_name: 'keepwatch live events' });
    next.on('notification', (message) => gather(message.payload ?? ''));
    next.on('error', (error) => log.warn({ reason: error.message }, 'the connection for live events was lost'));
    await next.connect();
    // Only a connection that stood can be lost; one that could not be made is told by `connect` itself.
    next.on('end', again);
    await next.query(`LISTEN ${CHANNEL}`);
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

  /** By event: whether another one has come since the last was delivered. */
  const gathering = new Map<string, { timer: NodeJS.Timeout; isDue: boolean }>();

  function gather(payload: string): void {
    const gathered = gathering.get(payload);
    if (gathered === undefined) deliver(payload);
    else gathered.isDue = true;
  }

  function deliver(payload: string): void {
    const timer = setTimeout(() => {
      const isDue = gathering.get(payload)?.isDue === true;
      gathering.delete(payload);
      if (isDue) deliver(payload);
    }, GATHER_MS);
    gathering.set(payload, { timer, isDue: false });
    const event: LiveEvent = JSON.parse(payload);
    for (const listener of listeners) listener(event);
  }

  await connect();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async stop() {
      stopped = true;
      if (timer !== null) clearTimeout(timer);
      for (const gathered of gathering.values()) clearTimeout(gathered.timer);
      await client?.end();
    },
  };
}

import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { Gauge } from 'prom-client';
import { type Connection, execute, type Pool, row, transaction } from '../database.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { remove, update } from '../table-writes.ts';
import { outbox } from '../tables.ts';
import type { Subject, Subscriber, SubscriberServices } from './domain-events.ts';

export interface OutboxParts extends SubscriberServices {
  database: Pool;
  subscribers: readonly Subscriber[];
  log: Log;
}

interface Announced extends Subject {
  number: number;
  event: string;
  payload: unknown;
  deliveredTo: string[];
  attempts: number;
}

const POLL_MS = 500;
/** After a failure, twice as long each time; with the last attempt the event is given up, about an hour after the first. */
const FIRST_PAUSE_SECONDS = 1;
const LONGEST_PAUSE_SECONDS = 600;
const ATTEMPTS_MAX = 15;

/**
 * Delivers the events of the outbox, one after the other, until it is stopped. Any number of processes may do so. Throws where two
 * subscribers of an event have one name.
 */
export function deliverEvents(parts: OutboxParts): { stop(): Promise<void> } {
  requireOwnNames(parts.subscribers);
  const stopping = new AbortController();
  const loop = async () => {
    while (!stopping.signal.aborted) {
      const found = await deliverNext(parts).catch((error) => {
        parts.log.error({ err: error }, 'events cannot be delivered; trying again');
        return false;
      });
      if (!found) await pause(POLL_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const ended = loop();
  return {
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

/** An event is delivered once for each name, so the second subscriber of a name would never get it. */
function requireOwnNames(subscribers: readonly Subscriber[]): void {
  const names = new Set<string>();
  for (const { name, event } of subscribers) {
    const full = `${event.name} ${name}`;
    if (names.has(full))
      throw new Error(`Two subscribers of ${event.name} are named ${name}. Give one of them another name.`);
    names.add(full);
  }
}

/** Delivers the oldest event that is due. Gives whether there was one. */
export function deliverNext(parts: OutboxParts): Promise<boolean> {
  return transaction(parts.database, async (connection) => {
    const announced = await lockNext(connection);
    if (announced === null) return false;
    const subscribers = parts.subscribers.filter(
      ({ event, name }) => event.name === announced.event && !announced.deliveredTo.includes(name),
    );
    const deliveredTo: string[] = [];
    let isFailed = false;
    for (const subscriber of subscribers)
      if (await deliverTo(subscriber, connection, announced, parts)) deliveredTo.push(subscriber.name);
      else isFailed = true;
    await mark(connection, announced, [...announced.deliveredTo, ...deliveredTo], isFailed, parts.log);
    return true;
  });
}

/**
 * Locks the oldest event that is due, of which no earlier one of its subject waits. The lock ends with the process that has it, so
 * what a killed one had begun is delivered by the next.
 */
function lockNext(connection: Connection): Promise<Announced | null> {
  return row<Announced>(
    connection,
    sql`select o.provider_id as "providerId", o.id as number, o.event, o.subject_id as id, o.payload, o.delivered_to as "deliveredTo", o.attempts
        from outbox o
        where o.ended_at is null and o.next_attempt_at <= now()
          and not exists (select from outbox e where e.provider_id = o.provider_id and e.subject_kind = o.subject_kind
            and e.subject_id = o.subject_id and e.id < o.id and e.ended_at is null)
        order by o.id limit 1 for update skip locked`,
  );
}

/** Delivers to one subscriber. Where that fails, what it wrote is undone, and what the others wrote stays. */
async function deliverTo(
  subscriber: Subscriber,
  connection: Connection,
  { providerId, id, payload, attempts }: Announced,
  { queue, log }: OutboxParts,
): Promise<boolean> {
  await execute(connection, sql`savepoint subscriber`);
  try {
    await subscriber.deliver(connection, { providerId, id }, payload, { queue });
    return true;
  } catch (error) {
    await execute(connection, sql`rollback to savepoint subscriber`);
    const { name, event } = subscriber;
    log.error({ err: error, event: event.name, subject: id, subscriber: name, attempts }, 'an event was not delivered');
    return false;
  }
}

async function mark(
  connection: Connection,
  { providerId, number, event, id, attempts }: Announced,
  deliveredTo: readonly string[],
  isFailed: boolean,
  log: Log,
): Promise<void> {
  const isDead = isFailed && attempts + 1 >= ATTEMPTS_MAX;
  if (isDead) log.error({ event, subject: id }, 'an event was given up');
  const pauseSeconds = Math.min(FIRST_PAUSE_SECONDS * 2 ** attempts, LONGEST_PAUSE_SECONDS);
  const changes = {
    deliveredTo,
    attempts: attempts + 1,
    isDead,
    endedAt: isFailed && !isDead ? null : sql`now()`,
    nextAttemptAt: sql`now() + make_interval(secs => ${pauseSeconds})`,
  };
  await update(connection, outbox, changes, sql`provider_id = ${providerId} and id = ${number}`);
}

/** Shows how many events wait, and how many were given up and are not yet deleted. */
export function measureEvents({ registry }: Metrics, database: Pool): void {
  new Gauge({
    name: 'keepwatch_events',
    help: 'Domain events that wait for their subscribers, and those that were given up',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const counted = await row<{ waiting: number; dead: number }>(
        database,
        sql`select (select count(*) from outbox where ended_at is null) as waiting, (select count(*) from outbox where is_dead) as dead`,
      ).catch(() => null);
      if (counted === null) this.reset();
      else for (const state of ['waiting', 'dead'] as const) this.set({ state }, counted[state]);
    },
  });
}

const DELIVERED_DAYS = 7;
const DEAD_DAYS = 90;

/** Deletes delivered events after a week, and dead ones after three months. */
export async function removeOldEvents(database: Pool, now: Date): Promise<void> {
  const days = sql`case when is_dead then ${DEAD_DAYS}::int else ${DELIVERED_DAYS}::int end`;
  await remove(database, outbox, sql`ended_at < ${now}::timestamptz - make_interval(days => ${days})`);
}

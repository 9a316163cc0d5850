import type { EngineProxy, EngineProxyPool } from '@keepwatch/connectors/ports/microsoft365-engine';
import { sql } from 'drizzle-orm';
import { type Connection, execute, row, rows } from '../../foundation/database.ts';
import { insert } from '../../foundation/table-writes.ts';
import { m365Workers } from '../tables.ts';
import { poolIdOf, proxyIdOf } from './worker-ids.ts';

/** A process that backs up. Several may be on one machine, which is one proxy. */
export interface Worker {
  id: string;
  name: string;
  version: string;
  pool: string | null;
  capacity: number;
}

/** Registers a worker, or says that it is still there and how busy it is. Instants are the database's: the clocks of machines differ. */
export async function reportWorker(connection: Connection, worker: Worker, running: number): Promise<void> {
  const seen = { running, seenAt: sql`now()` };
  await insert(
    connection,
    m365Workers,
    { ...worker, ...seen, startedAt: sql`now()` },
    sql`on conflict (id) do update set running = excluded.running, seen_at = excluded.seen_at`,
  );
}

/** Whether a worker was there since an instant of the database's clock. */
export async function hasWorkerSince(connection: Connection, at: string): Promise<boolean> {
  const found = await row(connection, sql`select from m365_workers w where w.seen_at > ${at}::timestamptz limit 1`);
  return found !== null;
}

/** Says that a worker has ended. Its machine stays among the proxies, since jobs may be bound to it. */
export async function reportEnd(connection: Connection, { id }: Worker): Promise<void> {
  await execute(
    connection,
    sql`update m365_workers set running = 0, seen_at = now() - interval '1 hour' where id = ${id}`,
  );
}

/** Forgets processes that ended: those of a machine that has another one, and all after a month. */
export async function removeOldWorkers(connection: Connection): Promise<void> {
  await execute(
    connection,
    sql`delete from m365_workers w where w.seen_at < now() - interval '30 days' or (w.seen_at < now() - interval '5 minutes'
          and exists (select from m365_workers n where n.name = w.name and n.seen_at > w.seen_at))`,
  );
}

/** Lists the machines that back up, each with all its processes. */
export async function listProxies(connection: Connection): Promise<EngineProxy[]> {
  const found = await rows<Omit<EngineProxy, 'id' | 'poolId' | 'seenAt'> & { pool: string | null; seenAt: string }>(
    connection,
    sql`select name, (array_agg(version order by seen_at desc))[1] as version, (array_agg(pool order by seen_at desc))[1] as pool,
          bool_or(is_online) as "isOnline", max(seen_at) as "seenAt", coalesce(sum(running) filter (where is_online), 0)::int as running,
          coalesce(sum(capacity) filter (where is_online), max(capacity))::int as capacity
        from (select w.*, w.seen_at > now() - interval '40 seconds' as is_online from m365_workers w) w group by name order by lower(name)`,
  );
  return found.map(({ pool, seenAt, ...proxy }) => ({
    ...proxy,
    id: proxyIdOf(proxy.name),
    poolId: pool === null ? null : poolIdOf(pool),
    seenAt: new Date(seenAt),
  }));
}

/** Lists the named groups of machines. */
export async function listPools(connection: Connection): Promise<EngineProxyPool[]> {
  const found = await rows<{ name: string; proxies: string[] }>(
    connection,
    sql`select pool as name, array_agg(distinct name) as proxies from m365_workers where pool is not null group by pool order by lower(pool)`,
  );
  return found.map(({ name, proxies }) => ({ id: poolIdOf(name), name, proxyIds: proxies.map(proxyIdOf) }));
}

import type pg from 'pg';
import type { CatalogWait, CatalogWaits } from '../../catalog.ts';
import { row, rows } from './connection.ts';

/** What is over sooner is not worth a word. */
const REPORTED_AFTER_MS = 500;

/** A lock that others may hold for hours. */
export interface Lock {
  until: CatalogWait['until'];
  /** Waits for nothing. */
  attempt(): Promise<boolean>;
  wait(): Promise<unknown>;
}

/**
 * Takes a lock on a connection. A wait is reported with the programs it waits for, and ends when the signal is aborted; the transaction of
 * the connection, if it is in one, has failed then.
 */
export async function takePatiently(
  pool: pg.Pool,
  connection: pg.PoolClient,
  { until, attempt, wait }: Lock,
  { signal, onWait }: CatalogWaits,
): Promise<void> {
  if (await attempt()) return;
  const session = await row<{ pid: number }>(connection, 'SELECT pg_backend_pid() AS pid');
  signal?.throwIfAborted();
  let isOver = false;
  const report = async () => {
    const holders = await holdersBefore(pool, session?.pid);
    if (!isOver) onWait?.({ until, holders });
  };
  const reporting = setTimeout(() => void report(), REPORTED_AFTER_MS);
  let givingUp: Promise<unknown> = Promise.resolve();
  const giveUp = () => {
    givingUp = pool.query('SELECT pg_cancel_backend($1)', [session?.pid]).catch(() => undefined);
  };
  signal?.addEventListener('abort', giveUp);
  try {
    await wait().finally(() => signal?.throwIfAborted());
  } finally {
    isOver = true;
    clearTimeout(reporting);
    signal?.removeEventListener('abort', giveUp);
    // A cancellation that came late must not meet what is asked over this connection next.
    await givingUp;
  }
}

/** The sessions that a session waits for, by the names they gave themselves. Without an answer the wait continues. */
async function holdersBefore(pool: pg.Pool, pid: number | undefined): Promise<string[]> {
  const found = await rows<{ name: string }>(
    pool,
    'SELECT DISTINCT application_name AS name FROM pg_stat_activity WHERE pid = ANY (pg_blocking_pids($1)) ORDER BY name',
    [pid],
  ).catch(() => []);
  return found.map(({ name }) => name).filter((name) => name !== '');
}

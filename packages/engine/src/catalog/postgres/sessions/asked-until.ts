import type pg from 'pg';
import { orStopped } from '../../../model/stoppable.ts';
import { row } from './connection.ts';

/**
 * Asks over one connection of the pool. When the signal is aborted, the caller waits no longer, and the database gives the query up: its answer
 * would have no reader, and it takes a processor from all others.
 */
export function askedUntil<T>(
  pool: pg.Pool,
  signal: AbortSignal | undefined,
  ask: (connection: pg.PoolClient) => Promise<T>,
): Promise<T> {
  return orStopped(asked(pool, signal, ask), signal);
}

async function asked<T>(
  pool: pg.Pool,
  signal: AbortSignal | undefined,
  ask: (connection: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const connection = await pool.connect();
  let isWhole = false;
  try {
    const answer = signal === undefined ? await ask(connection) : await cancelled(pool, connection, signal, ask);
    isWhole = true;
    return answer;
  } finally {
    // What failed may be the connection, and a cancellation that arrives late must not meet what is asked over it next.
    connection.release(!isWhole || signal?.aborted === true);
  }
}

async function cancelled<T>(
  pool: pg.Pool,
  connection: pg.PoolClient,
  signal: AbortSignal,
  ask: (connection: pg.PoolClient) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const session = await row<{ pid: number }>(connection, 'SELECT pg_backend_pid() AS pid');
  const cancel = () => void pool.query('SELECT pg_cancel_backend($1)', [session?.pid]).catch(() => undefined);
  signal.addEventListener('abort', cancel, { once: true });
  try {
    signal.throwIfAborted();
    return await ask(connection);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

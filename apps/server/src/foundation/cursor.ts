import { type SQL, sql } from 'drizzle-orm';
import { execute, type Pool, row, rows } from './database.ts';

/** A query that is read batch by batch, over one consistent state. */
export interface Cursor<Row> {
  /** The next rows, fewer than a batch at the end. One call at a time. */
  fetch(): Promise<Row[]>;
  /** Stops what is being fetched and gives the connection back. */
  close(): Promise<void>;
}

/**
 * Opens a cursor on a connection of its own, which it holds until it is closed. After `idleMs` without a fetch, the database
 * ends the connection and the next fetch fails.
 */
export async function openCursor<Row>(
  pool: Pool,
  query: SQL,
  { batch, idleMs }: { batch: number; idleMs: number },
): Promise<Cursor<Row>> {
  const client = await pool.connect();
  let lost: Error | undefined;
  let fetching: Promise<unknown> = Promise.resolve();
  let isFetching = false;
  const onError = (error: Error) => {
    lost = error;
  };
  client.on('error', onError);

  async function release(): Promise<void> {
    if (lost === undefined) await client.query('ROLLBACK').catch(onError);
    client.off('error', onError);
    client.release(lost);
  }

  try {
    await client.query(`BEGIN READ ONLY; SET LOCAL idle_in_transaction_session_timeout = ${Math.round(idleMs)}`);
    const backend = await row<{ pid: number }>(client, sql`select pg_backend_pid() as pid`);
    await execute(client, sql`declare batches no scroll cursor for ${query}`);
    return {
      fetch() {
        isFetching = true;
        const next = rows<Row>(client, sql`fetch ${sql.raw(String(batch))} from batches`).finally(() => {
          isFetching = false;
        });
        fetching = next;
        return next;
      },
      async close() {
        // Where it cannot be cancelled (no connection is free), it runs to its end.
        if (isFetching && backend !== null)
          await execute(pool, sql`select pg_cancel_backend(${backend.pid})`).catch(() => undefined);
        await fetching.catch(() => undefined);
        await release();
      },
    };
  } catch (error) {
    await release();
    throw error;
  }
}

import { AsyncLocalStorage } from 'node:async_hooks';
import type { SQL } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import pg from 'pg';

/** Anything that runs a query: the pool, or one connection inside a transaction. */
export type Connection = pg.Pool | pg.PoolClient;
export type Pool = pg.Pool;

const dialect = new PgDialect();

/**
 * How values arrive: instants as ISO texts in UTC (as the wire wants them), 64-bit integers as numbers (sizes in bytes stay
 * exact up to 9 PB), days as `YYYY-MM-DD`.
 */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);
types.setTypeParser(pg.types.builtins.NUMERIC, Number);
types.setTypeParser(pg.types.builtins.DATE, (text) => text);
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, isoOf);

/** `2026-01-31 08:00:00.5+00` as PostgreSQL prints it in a UTC session becomes `2026-01-31T08:00:00.500Z`. */
export function isoOf(text: string): string {
  const seconds = text.slice(0, 19).replace(' ', 'T');
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
  return `${seconds}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
}

export interface PoolOptions {
  connectionsMax: number;
  /** A statement is given up after this time; 0: never. */
  statementTimeoutMs: number;
  /** How long a query waits for a free connection; by default ten seconds. */
  waitMs?: number;
  /** As PostgreSQL shows it in its list of sessions. */
  name: string;
  /** An idle connection was lost (the database was restarted); the pool opens another when it needs one. */
  onLost?: (error: Error) => void;
}

/** Opens a pool. Every session is in UTC. */
export function openPool(url: string, options: PoolOptions): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: options.connectionsMax,
    application_name: options.name,
    options: `-c timezone=UTC -c statement_timeout=${options.statementTimeoutMs}`,
    types,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: options.waitMs ?? 10_000,
  });
  // Without a listener the loss of an idle connection would end the process.
  pool.on('error', (error) => options.onLost?.(error));
  // So would the loss of one in use; its next query reports it.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

const callerSignal = new AsyncLocalStorage<AbortSignal>();

/**
 * Does work that only reads for a caller that may go away: when the signal is aborted, its queries on a pool that have not begun are
 * not begun, and one that runs is cancelled. They fail with the signal's reason.
 */
export function withAbort<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  return callerSignal.run(signal, work);
}

function ask<Row>(connection: Connection, query: pg.QueryConfig): Promise<pg.QueryResult<Row & pg.QueryResultRow>> {
  const signal = callerSignal.getStore();
  if (signal === undefined || !(connection instanceof pg.Pool)) return connection.query(query);
  return askWithAbort(connection, query, signal);
}

async function askWithAbort<Row>(
  pool: Pool,
  query: pg.QueryConfig,
  signal: AbortSignal,
): Promise<pg.QueryResult<Row & pg.QueryResultRow>> {
  signal.throwIfAborted();
  const client = await pool.connect();
  let cancelling: Promise<unknown> = Promise.resolve();
  const cancel = () => {
    const backend = 'processID' in client ? client.processID : null;
    cancelling = pool.query('select pg_cancel_backend($1)', [backend]).catch(() => undefined);
  };
  try {
    signal.throwIfAborted();
    signal.addEventListener('abort', cancel, { once: true });
    return await client.query<Row & pg.QueryResultRow>(query);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', cancel);
    // Given back sooner, the connection could be at the next one's query when it is cancelled.
    await cancelling;
    client.release();
  }
}

/**
 * Runs a query and gives its rows. `Row` states what the query selects: the one place where a type is claimed of the
 * database, so each query is written beside its row type.
 */
export async function rows<Row>(connection: Connection, query: SQL): Promise<Row[]> {
  const { sql: text, params } = dialect.sqlToQuery(query);
  const result = await ask<Row>(connection, { text, values: params });
  return result.rows;
}

/** The first row, or `null`. */
export async function row<Row>(connection: Connection, query: SQL): Promise<Row | null> {
  return (await rows<Row>(connection, query))[0] ?? null;
}

/**
 * As `row`, with a plan that each connection makes once and stores under this name: for queries of every request, where planning
 * takes longer than the query. Its text must always be the same.
 */
export async function preparedRow<Row>(connection: Connection, name: string, query: SQL): Promise<Row | null> {
  const { sql: text, params } = dialect.sqlToQuery(query);
  const result = await ask<Row>(connection, { name, text, values: params });
  return result.rows[0] ?? null;
}

const namesOfTexts = new Map<string, string>();

/**
 * As `rows`, with a plan that each connection soon makes once for all values: for statements of small batches, where planning takes longer than the work.
 * Whatever differs from one time to the next has to be a parameter, lists as arrays: every text is remembered.
 */
export async function repeatedRows<Row>(connection: Connection, query: SQL): Promise<Row[]> {
  const { sql: text, params } = dialect.sqlToQuery(query);
  const name = namesOfTexts.get(text) ?? `repeated ${namesOfTexts.size}`;
  namesOfTexts.set(text, name);
  return (await ask<Row>(connection, { name, text, values: params })).rows;
}

/** Runs a statement and gives how many rows it touched. */
export async function execute(connection: Connection, query: SQL): Promise<number> {
  const { sql: text, params } = dialect.sqlToQuery(query);
  return (await connection.query(text, params)).rowCount ?? 0;
}

/** The text and values of a query, for streaming and for benchmarks. */
export function textOf(query: SQL): { text: string; values: unknown[] } {
  const { sql: text, params } = dialect.sqlToQuery(query);
  return { text, values: params };
}

/** All or nothing: commits when `work` resolves, rolls back when it throws. What it begins with is sent along with its beginning. */
export async function transaction<T>(
  pool: Pool,
  work: (connection: pg.PoolClient) => Promise<T>,
  first?: string,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query(first === undefined ? 'BEGIN' : `BEGIN; ${first}`);
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((lost: Error) => {
      broken = lost;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}

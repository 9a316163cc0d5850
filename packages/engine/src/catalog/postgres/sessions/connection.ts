import { hostname } from 'node:os';
import pg from 'pg';
import { EngineError } from '../../../model/engine-error.ts';

/** Anything that runs a query: the pool, or one connection inside a transaction. */
export type Connection = pg.Pool | pg.PoolClient;

/** 64-bit integers are sizes and instants in milliseconds here, exact up to 2^53. */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, Number);
types.setTypeParser(pg.types.builtins.NUMERIC, Number);

/** Opens a pool whose sessions are in UTC and find the catalog's tables by their bare names. */
export function openPool(options: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    // Programs that wait for this one show it; PostgreSQL stores 63 bytes of it.
    application_name: `keepwatch-engine, process ${process.pid} on ${hostname()}`.slice(0, 63),
    connectionTimeoutMillis: 10_000,
    ...options,
    options: '-c timezone=UTC -c search_path=engine,pg_catalog',
    types,
  });
  // Without a listener the loss of an idle connection would end the process; the next query opens another one.
  pool.on('error', () => {});
  // So would that of one between two queries of a transaction; the second of them fails of it.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/**
 * Takes a session that stays its owner's for as long as the work takes.
 * @throws `locked` when as much work as there are sessions for has one, and none is given back in time
 */
export async function pinSession(pins: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pins.connect();
  } catch (cause) {
    if (pins.totalCount - pins.idleCount < pins.options.max) throw cause;
    throw new EngineError(
      'locked',
      `This program does as much at one time as it may (${pins.options.max} restores, rebuilds and passes over a catalog). Wait until one of them has ended, and begin again. Nothing was changed.`,
      { cause, isRetryable: true },
    );
  }
}

/**
 * Runs a query and gives its rows. `Row` states what the query selects: the one place where a type is claimed of the database, so each
 * query is beside its row type.
 */
export async function rows<Row>(connection: Connection, text: string, values: unknown[] = []): Promise<Row[]> {
  const result = await connection.query<Row & pg.QueryResultRow>(text, values);
  return result.rows;
}

/** The first row, or `null`. */
export async function row<Row>(connection: Connection, text: string, values: unknown[] = []): Promise<Row | null> {
  return (await rows<Row>(connection, text, values))[0] ?? null;
}

type TryLock = 'pg_try_advisory_lock' | 'pg_try_advisory_lock_shared' | 'pg_try_advisory_xact_lock';

/** Acquires an advisory lock if that needs no waiting. @returns whether it has it */
export async function tryAdvisoryLock(
  connection: Connection,
  tryLock: TryLock,
  lock: readonly number[],
): Promise<boolean> {
  const found = await row<{ locked: boolean }>(connection, `SELECT ${tryLock}($1, $2) AS locked`, [...lock]);
  return found?.locked === true;
}

/** All or nothing: commits when `work` resolves, rolls back when it throws. */
export async function transaction<T>(pool: pg.Pool, work: (connection: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    return await transactionOver(client, work, (lost) => {
      broken = lost;
    });
  } finally {
    client.release(broken);
  }
}

/** The same over a connection that stays its owner's. @param onBroken called when it cannot be used any more */
export async function transactionOver<T>(
  client: pg.PoolClient,
  work: (connection: pg.PoolClient) => Promise<T>,
  onBroken: (lost: Error) => void = () => undefined,
): Promise<T> {
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(onBroken);
    throw error;
  }
}

import type pg from 'pg';
import type { CatalogWaits } from '../../catalog.ts';
import { pinSession, tryAdvisoryLock } from './connection.ts';
import { takePatiently } from './patient-lock.ts';

/** An arbitrary number, used for nothing else; the second key of the lock is the repository's number. */
const PASSING = 7_305_243;

/**
 * A pass in pages over all of a repository's catalog. Until it has ended no successor takes the catalog's place: the pages would be of two
 * of them, and what a prune does not see in use it deletes.
 */
export async function* wholePass<Row>(
  pool: pg.Pool,
  repository: number,
  waits: CatalogWaits,
  pass: (connection: pg.PoolClient) => AsyncIterable<Row>,
): AsyncGenerator<Row> {
  const connection = await pinSession(pool);
  let isWhole = false;
  try {
    const lock = [PASSING, repository];
    const attempt = () => tryAdvisoryLock(connection, 'pg_try_advisory_lock_shared', lock);
    const wait = () => connection.query('SELECT pg_advisory_lock_shared($1, $2)', lock);
    await takePatiently(pool, connection, { until: 'exchange', attempt, wait }, waits);
    yield* pass(connection);
    await connection.query('SELECT pg_advisory_unlock_shared($1, $2)', [PASSING, repository]);
    isWhole = true;
  } finally {
    // A session that was left in the middle ends, and its lock with it.
    connection.release(!isWhole);
  }
}

/** Waits until all passes over a repository have ended, and lets none begin before the transaction ends. */
export async function afterAllPasses(
  pool: pg.Pool,
  connection: pg.PoolClient,
  repository: number,
  waits: CatalogWaits,
): Promise<void> {
  const lock = [PASSING, repository];
  const attempt = () => tryAdvisoryLock(connection, 'pg_try_advisory_xact_lock', lock);
  const wait = () => connection.query('SELECT pg_advisory_xact_lock($1, $2)', lock);
  await takePatiently(pool, connection, { until: 'passes', attempt, wait }, waits);
}

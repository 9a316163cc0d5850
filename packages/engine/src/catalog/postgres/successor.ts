import type pg from 'pg';
import { EngineError } from '../../model/engine-error.ts';
import type { CatalogWait, CatalogWaits } from '../catalog.ts';
import { clearRepository, forgetRepository } from './clear.ts';
import { pinSession, row, rows, transaction, tryAdvisoryLock } from './sessions/connection.ts';
import { takePatiently } from './sessions/patient-lock.ts';
import { afterAllPasses } from './sessions/whole-pass.ts';

/** What says itself of which repository it is; the rest belongs to objects and runs, and follows them. */
const OF_REPOSITORY = [
  'runs',
  'segments',
  'objects',
  'packs',
  'chunks',
  'damaged_chunks',
  'unindexed',
  'search_entries',
  'erasures',
  'erased_packs',
  'job_expiry',
];

/** An arbitrary number, used for nothing else; the second key of the lock is the repository's number. */
const MAKING = 7_305_242;

/**
 * A session that alone makes a successor of this catalog: two would make the same one, and each take away what the other has brought. It
 * ends with its program, however that ends.
 * @throws `locked` while another one lives
 */
export async function beginSuccessor(pool: pg.Pool, repository: number): Promise<{ end(): Promise<void> }> {
  const session = await pinSession(pool);
  const lock = [MAKING, repository];
  const end = async () => {
    // A session that cannot say so has ended, and its lock with it.
    await session.query('SELECT pg_advisory_unlock($1, $2)', lock).catch(() => undefined);
    session.release(true);
  };
  try {
    if (await tryAdvisoryLock(session, 'pg_try_advisory_lock', lock)) return { end };
  } catch (error) {
    session.release(true);
    throw error;
  }
  session.release();
  throw new EngineError(
    'locked',
    'Another program is rebuilding this catalog. Wait until it has finished; nothing else needs to be done then.',
    { isRetryable: true },
  );
}

/** The number under which a repository's next catalog is made. Rows that an earlier attempt left are deleted. */
export async function makeSuccessor(pool: pg.Pool, repository: number): Promise<number> {
  const made = await row<{ id: number }>(
    pool,
    `INSERT INTO repositories (name) SELECT name || ' next' FROM repositories WHERE id = $1
     ON CONFLICT (name) DO UPDATE SET expired_before = NULL RETURNING id`,
    [repository],
  );
  if (made === null) throw new Error('The repository is not in the catalog any more.');
  await clearRepository(pool, made.id);
  return made.id;
}

/**
 * Puts the successor in the place of a repository's catalog, whose number stays: who has it open need not notice.
 * @param bringLast brings the successor what was committed to the earlier one: until this is over, nothing more is
 */
export function replaceRepository(
  pool: pg.Pool,
  repository: number,
  successor: number,
  bringLast: () => Promise<void>,
  waits: CatalogWaits,
): Promise<void> {
  return transaction(pool, async (connection) => {
    await afterAllPasses(pool, connection, repository, waits);
    // Every writer locks this row: see `preventReplacement`.
    await lockRow(pool, connection, repository, 'UPDATE', { until: 'commits', ...waits });
    await bringLast();
    await forgetRepository(connection, repository);
    for (const table of OF_REPOSITORY)
      await connection.query(`UPDATE ${table} SET repository = $1 WHERE repository = $2`, [repository, successor]);
    await connection.query(
      `UPDATE repositories r SET expired_before = s.expired_before, generation = s.generation, is_out_of_order = s.is_out_of_order
       FROM repositories s WHERE r.id = $1 AND s.id = $2`,
      [repository, successor],
    );
    await connection.query('DELETE FROM repositories WHERE id = $1', [successor]);
  });
}

/**
 * To be called first by every writer of a repository's catalog: no successor takes its place before the transaction ends.
 * @param waits without a signal where what is to be written must not be left out: it is in the repository by now
 */
export async function preventReplacement(
  pool: pg.Pool,
  connection: pg.PoolClient,
  repository: number,
  waits: CatalogWaits,
): Promise<void> {
  await lockRow(pool, connection, repository, 'KEY SHARE', { until: 'exchange', ...waits });
}

async function lockRow(
  pool: pg.Pool,
  connection: pg.PoolClient,
  repository: number,
  strength: 'UPDATE' | 'KEY SHARE',
  { until, ...waits }: CatalogWaits & Pick<CatalogWait, 'until'>,
): Promise<void> {
  const wait = () => connection.query(`SELECT FROM repositories WHERE id = $1 FOR ${strength}`, [repository]);
  const attempt = async () => {
    const text = `SELECT FROM repositories WHERE id = $1 FOR ${strength} SKIP LOCKED`;
    return (await rows(connection, text, [repository])).length > 0;
  };
  await takePatiently(pool, connection, { until, attempt, wait }, waits);
}

export async function dropSuccessor(pool: pg.Pool, successor: number): Promise<void> {
  await clearRepository(pool, successor);
  await pool.query('DELETE FROM repositories WHERE id = $1', [successor]);
}

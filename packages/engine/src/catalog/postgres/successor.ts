import type pg from 'pg';
import { clearRepository, forgetRepository } from './clear.ts';
import { row, transaction } from './connection.ts';

/** What says itself of which repository it is; the rest belongs to objects and runs, and follows them. */
const OF_REPOSITORY = ['runs', 'objects', 'packs', 'chunks', 'damaged_chunks', 'unindexed', 'search_entries'];

/** The number under which a repository's next catalog is made. What an earlier attempt left there is taken away. */
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

/** Puts the successor in the place of a repository's catalog, whose number stays: who has it open need not notice. */
export function replaceRepository(pool: pg.Pool, repository: number, successor: number): Promise<void> {
  return transaction(pool, async (connection) => {
    await forgetRepository(connection, repository);
    for (const table of OF_REPOSITORY)
      await connection.query(`UPDATE ${table} SET repository = $1 WHERE repository = $2`, [repository, successor]);
    await connection.query(
      'UPDATE repositories SET expired_before = (SELECT expired_before FROM repositories WHERE id = $2) WHERE id = $1',
      [repository, successor],
    );
    await connection.query('DELETE FROM repositories WHERE id = $1', [successor]);
  });
}

export async function dropSuccessor(pool: pg.Pool, successor: number): Promise<void> {
  await clearRepository(pool, successor);
  await pool.query('DELETE FROM repositories WHERE id = $1', [successor]);
}

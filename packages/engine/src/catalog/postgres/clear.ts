import type pg from 'pg';
import { transaction } from './sessions/connection.ts';

const OF_OBJECTS = ['item_versions', 'search_entries', 'unindexed', 'cursors', 'lost_items', 'containers'];
const OF_REPOSITORY = [
  'chunks',
  'damaged_chunks',
  'packs',
  'runs',
  'segments',
  'objects',
  'erasures',
  'erased_packs',
  'job_expiry',
];

/** Forgets all that commits brought of a repository. */
export function clearRepository(pool: pg.Pool, repository: number): Promise<void> {
  return transaction(pool, (connection) => forgetRepository(connection, repository));
}

export async function forgetRepository(connection: pg.PoolClient, repository: number): Promise<void> {
  await connection.query('DELETE FROM restore_point_objects WHERE run IN (SELECT id FROM runs WHERE repository = $1)', [
    repository,
  ]);
  for (const table of OF_OBJECTS) {
    await connection.query(`DELETE FROM ${table} WHERE object IN (SELECT id FROM objects WHERE repository = $1)`, [
      repository,
    ]);
  }
  for (const table of OF_REPOSITORY) {
    await connection.query(`DELETE FROM ${table} WHERE repository = $1`, [repository]);
  }
  await connection.query(
    "UPDATE repositories SET expired_before = NULL, generation = '', is_out_of_order = false WHERE id = $1",
    [repository],
  );
}

import type pg from 'pg';
import { type Connection, row } from './connection.ts';

const OF_REPOSITORY = 'object IN (SELECT id FROM objects WHERE repository = $1)';

/** Removes versions that ended, and restore points that finished, before an instant. Their runs stay known. */
export async function expire(connection: pg.PoolClient, repository: number, before: Date): Promise<void> {
  await connection.query(
    'UPDATE repositories SET expired_before = greatest(expired_before, $2::timestamptz) WHERE id = $1',
    [repository, before],
  );
  await removeEnded(connection, OF_REPOSITORY, repository, before);
  await connection.query(
    `WITH gone AS (
       UPDATE runs SET is_expired = true, findings = NULL
       WHERE repository = $1 AND finished_at < $2 AND NOT is_expired RETURNING id)
     DELETE FROM restore_point_objects WHERE run IN (SELECT id FROM gone)`,
    [repository, before],
  );
}

/** Should an expiry have been applied before a section that is older: what the section ended is gone as well. */
export async function expireObject(
  connection: pg.PoolClient,
  repository: number,
  object: number,
  at: Date,
): Promise<void> {
  const late = await row<{ expired_before: Date }>(
    connection,
    'SELECT expired_before FROM repositories WHERE id = $1 AND expired_before > $2',
    [repository, at],
  );
  if (late !== null) await removeEnded(connection, 'object = $1', object, late.expired_before);
}

/** An entry stands for versions with the same words up to the one with which it ends, and goes with that. */
async function removeEnded(connection: pg.PoolClient, which: string, id: number, before: Date): Promise<void> {
  await connection.query(
    `WITH gone AS (DELETE FROM item_versions WHERE ${which} AND ended_at < $2 RETURNING object, item, first, last),
     unsearched AS (
       DELETE FROM search_entries e USING gone WHERE e.object = gone.object AND e.item = gone.item AND e.last = gone.last)
     DELETE FROM unindexed u USING gone WHERE u.object = gone.object AND u.item = gone.item AND u.first = gone.first`,
    [id, before],
  );
}

/** What an expiry at this instant would remove. */
export async function countExpirable(
  connection: Connection,
  repository: number,
  before: Date,
): Promise<{ versions: number; bytes: number; restorePoints: number }> {
  const counted = await row<{ versions: number; bytes: number; restorePoints: number }>(
    connection,
    `SELECT count(*) AS versions, coalesce(sum(size), 0) AS bytes,
       (SELECT count(*) FROM runs WHERE repository = $1 AND kind = 'backup' AND finished_at < $2 AND NOT is_expired
         AND EXISTS (SELECT FROM restore_point_objects p WHERE p.run = runs.id)) AS "restorePoints"
     FROM item_versions WHERE ${OF_REPOSITORY} AND ended_at < $2`,
    [repository, before],
  );
  return counted ?? { versions: 0, bytes: 0, restorePoints: 0 };
}

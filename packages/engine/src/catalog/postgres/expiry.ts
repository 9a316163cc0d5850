import type pg from 'pg';
import { type Connection, row, rows } from './connection.ts';

const OF_REPOSITORY = 'object IN (SELECT id FROM objects WHERE repository = $1)';

/** For how much longer than the rest the items are retained that were removed from an object all at once. */
const HELD_DAYS = 90;

/**
 * Where objects stay although it finished before the instant `$2`: in the newest restore point they are in. An object without one would be
 * stored and out of everybody's reach. And in the one before a run in which much of it went at once, for some time more.
 */
const NEWEST = `(SELECT DISTINCT ON (p.object) p.object, p.run, p.revision
  FROM restore_point_objects p JOIN runs r ON r.id = p.run
  WHERE r.repository = $1 AND r.kind = 'backup' AND r.finished_at < $2 AND NOT r.is_expired AND NOT EXISTS (
    SELECT FROM restore_point_objects l JOIN runs s ON s.id = l.run WHERE l.object = p.object AND s.finished_at >= $2)
  ORDER BY p.object, r.finished_at DESC, r.run DESC)
  UNION ALL
  (SELECT DISTINCT ON (h.id, p.object) p.object, p.run, p.revision
  FROM runs h CROSS JOIN LATERAL json_each_text(h.findings::json -> 'objects') f
  JOIN objects o ON o.repository = $1 AND o.key = f.key
  JOIN restore_point_objects p ON p.object = o.id
  JOIN runs r ON r.id = p.run AND r.kind = 'backup' AND NOT r.is_expired AND r.finished_at < h.finished_at
  WHERE h.repository = $1 AND h.findings LIKE '%"shrunk"%' AND f.value = 'shrunk'
    AND h.finished_at >= $2::timestamptz - interval '${HELD_DAYS} days'
  ORDER BY h.id, p.object, r.finished_at DESC, r.run DESC)`;

/** The findings of a run that extends retention are needed as long as it does. */
const EXTENDS_RETENTION = `(r.findings LIKE '%"shrunk"%' AND r.finished_at >= $2::timestamptz - interval '${HELD_DAYS} days')`;

/** Versions that are gone when what ended before `$2` is: an object's newest restore point keeps what it shows, and what came after it. */
const ENDED = `v.ended_at < $2 AND NOT EXISTS (SELECT FROM newest n WHERE n.object = v.object AND v.last >= n.revision)`;

/** Removes what ended, and restore points that finished, before an instant. Their runs stay known. */
export async function expire(connection: pg.PoolClient, repository: number, before: Date): Promise<void> {
  const { expired_before: latest } = (await row<{ expired_before: Date }>(
    connection,
    `UPDATE repositories SET expired_before = greatest(expired_before, $2::timestamptz) WHERE id = $1 RETURNING expired_before`,
    [repository, before],
  )) ?? { expired_before: before };
  await leaveOld(connection, repository, latest);
  await removeEnded(connection, repository, latest, OF_REPOSITORY);
}

/**
 * After a run has ended: the objects it has need no older restore point any more. Should the run be older than the last expiry, which was
 * applied first then, what it ended is gone as well.
 */
export async function expireAfter(connection: pg.PoolClient, repository: number, run: number): Promise<void> {
  // One end after the other: two at once would each believe that the other's objects stay in the old restore point.
  const expiry = await row<{ before: Date; is_late: boolean }>(
    connection,
    `SELECT expired_before AS before, started_at < expired_before AS is_late FROM repositories, runs
     WHERE repositories.id = $1 AND runs.id = $2 AND expired_before IS NOT NULL FOR NO KEY UPDATE OF repositories`,
    [repository, run],
  );
  if (expiry === null) return;
  const own = expiry.is_late
    ? await rows<{ object: number }>(connection, 'SELECT object FROM restore_point_objects WHERE run = $1', [run])
    : [];
  const left = await leaveOld(connection, repository, expiry.before);
  const objects = [...new Set([...left, ...own.map(({ object }) => object)])];
  if (objects.length > 0) await removeEnded(connection, repository, expiry.before, 'object = ANY($3)', objects);
}

/** Takes objects out of old restore points that are not their newest; one that is left by all is none any more. @returns these objects */
async function leaveOld(connection: pg.PoolClient, repository: number, before: Date): Promise<number[]> {
  const left = await rows<{ object: number }>(
    connection,
    `WITH newest AS MATERIALIZED (${NEWEST})
     DELETE FROM restore_point_objects p USING runs r
     WHERE r.id = p.run AND r.repository = $1 AND r.kind = 'backup' AND r.finished_at < $2 AND NOT r.is_expired
       AND NOT EXISTS (SELECT FROM newest n WHERE n.object = p.object AND n.run = p.run) RETURNING p.object`,
    [repository, before],
  );
  await connection.query(
    `UPDATE runs r SET is_expired = true, findings = CASE WHEN ${EXTENDS_RETENTION} THEN r.findings END
     WHERE r.repository = $1 AND r.finished_at < $2 AND (NOT r.is_expired OR (r.findings IS NOT NULL AND NOT ${EXTENDS_RETENTION}))
       AND NOT EXISTS (SELECT FROM restore_point_objects p WHERE p.run = r.id)`,
    [repository, before],
  );
  return left.map(({ object }) => object);
}

/** An entry represents versions with the same words up to the one with which it ends, and is deleted with that. */
async function removeEnded(
  connection: pg.PoolClient,
  repository: number,
  before: Date,
  which: string,
  ...given: (readonly number[])[]
): Promise<void> {
  await connection.query(
    `WITH newest AS MATERIALIZED (${NEWEST}),
     gone AS (DELETE FROM item_versions v WHERE ${which} AND ${ENDED} RETURNING v.object, v.item, v.first, v.last),
     unsearched AS (
       DELETE FROM search_entries e USING gone WHERE e.object = gone.object AND e.item = gone.item AND e.last = gone.last)
     DELETE FROM unindexed u USING gone WHERE u.object = gone.object AND u.item = gone.item AND u.first = gone.first`,
    [repository, before, ...given],
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
    `WITH newest AS MATERIALIZED (${NEWEST})
     SELECT count(*) AS versions, coalesce(sum(size), 0) AS bytes,
       (SELECT count(*) FROM runs r WHERE r.repository = $1 AND r.kind = 'backup' AND r.finished_at < $2 AND NOT r.is_expired
         AND EXISTS (SELECT FROM restore_point_objects p WHERE p.run = r.id)
         AND NOT EXISTS (SELECT FROM newest n WHERE n.run = r.id)) AS "restorePoints"
     FROM item_versions v WHERE ${OF_REPOSITORY} AND ${ENDED}`,
    [repository, before],
  );
  return counted ?? { versions: 0, bytes: 0, restorePoints: 0 };
}

/** For each object that stays in old restore points, the oldest revision it has there. */
export async function retainedRevisions(
  connection: Connection,
  repository: number,
  before: Date,
): Promise<Map<number, number>> {
  const newest = await rows<{ object: number; revision: number }>(connection, NEWEST, [repository, before]);
  const oldest = new Map<number, number>();
  for (const { object, revision } of newest) oldest.set(object, Math.min(revision, oldest.get(object) ?? revision));
  return oldest;
}

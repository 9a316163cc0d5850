import type pg from 'pg';
import type { Expiry, JobExpiry } from '../../../model/expiry.ts';
import { type Connection, row, rows } from '../sessions/connection.ts';
import { BEFORE_OF, beforeOf, expiryValues, jobInstants } from './expiry-values.ts';

const OF_REPOSITORY = 'object IN (SELECT id FROM objects WHERE repository = $1)';

/** For how much longer than the rest the items are retained that were removed from an object all at once. */
const HELD_DAYS = 90;

/** Whether a restore point (`r`) may lack a part of an object (`o`) that a later run reports as gone; as `isWhole` of earlier-objects.ts. */
const LACKS_PART = `coalesce(CASE r.findings::json -> 'objects' ->> o.key WHEN 'shrunk' THEN r.outcome = 'Stopped' ELSE
    r.findings::json -> 'objects' ->> o.key IS NOT NULL END, false)`;

/**
 * Where objects stay although it finished before the instant of its job (`$2` and `$3`): in the newest restore point they are in. An object without one would be
 * stored and out of everybody's reach. And in the one before a run in which much of it went at once, for some time more. A run that
 * was stopped, or did not read it whole, may have removed a part already: a point in which it is whole is preferred.
 */
const NEWEST = `(SELECT DISTINCT ON (p.object) p.object, p.run, p.revision
  FROM restore_point_objects p JOIN runs r ON r.id = p.run
  WHERE r.repository = $1 AND r.kind = 'backup' AND r.finished_at < ${BEFORE_OF} AND NOT r.is_expired AND NOT EXISTS (
    SELECT FROM restore_point_objects l JOIN runs s ON s.id = l.run WHERE l.object = p.object AND s.finished_at >= ${beforeOf('s')})
  ORDER BY p.object, r.finished_at DESC, r.run DESC)
  UNION ALL
  (SELECT DISTINCT ON (h.id, p.object) p.object, p.run, p.revision
  FROM runs h CROSS JOIN LATERAL json_each_text(h.findings::json -> 'objects') f
  JOIN objects o ON o.repository = $1 AND o.key = f.key
  JOIN restore_point_objects p ON p.object = o.id
  JOIN runs r ON r.id = p.run AND r.kind = 'backup' AND NOT r.is_expired AND r.finished_at < h.finished_at
  WHERE h.repository = $1 AND h.findings LIKE '%"shrunk"%' AND f.value = 'shrunk'
    AND h.finished_at >= ${beforeOf('h')} - interval '${HELD_DAYS} days'
  ORDER BY h.id, p.object, ${LACKS_PART}, r.finished_at DESC, r.run DESC)`;

/** The findings of a run that extends retention are needed as long as it does. */
const EXTENDS_RETENTION = `(r.findings LIKE '%"shrunk"%' AND r.finished_at >= ${BEFORE_OF} - interval '${HELD_DAYS} days')`;

/**
 * For each object the instant before which versions of it go: the earliest of the jobs in whose restore points it stays. One that is in none has
 * the earliest of all jobs.
 */
const OBJECT_EXPIRY = `SELECT p.object, min(${BEFORE_OF}) AS before FROM restore_point_objects p JOIN runs r ON r.id = p.run
  WHERE r.repository = $1 AND r.kind = 'backup' AND NOT r.is_expired AND (r.finished_at >= ${BEFORE_OF}
    OR EXISTS (SELECT FROM newest n WHERE n.object = p.object AND n.run = p.run)) GROUP BY p.object`;

const ALL_INSTANTS = `(SELECT $2::timestamptz AS before UNION ALL SELECT before FROM ${jobInstants('$3')} named)`;
const EARLIEST = `(SELECT min(given.before) FROM ${ALL_INSTANTS} given)`;

/** What the conditions below read. With one instant for all jobs it is that of every object, without a look at restore points. */
function expiryTables({ jobs }: Expiry): string {
  const none = 'SELECT NULL::integer AS object, NULL::timestamptz AS before WHERE false';
  return `newest AS MATERIALIZED (${NEWEST}), object_expiry AS MATERIALIZED (${jobs.length === 0 ? none : OBJECT_EXPIRY})`;
}

/** Versions that are gone: an object's newest restore point keeps what it shows, and what came after it. */
const ENDED = `v.ended_at < coalesce((SELECT x.before FROM object_expiry x WHERE x.object = v.object), ${EARLIEST})
  AND NOT EXISTS (SELECT FROM newest n WHERE n.object = v.object AND v.last >= n.revision)`;

/** Removes what ended, and restore points that finished, before an instant. Their runs stay known. */
export async function expire(connection: pg.PoolClient, repository: number, expiry: Expiry): Promise<void> {
  await storeExpiry(connection, repository, expiry);
  const latest = await expiryOfRepository(connection, repository);
  await leaveOld(connection, repository, latest);
  await removeEnded(connection, repository, latest, OF_REPOSITORY);
}

/**
 * The latest instant applies to each job, in whichever order expiries come. A job that is named for the first time has had that of all others
 * until then; what they get from then on does not concern it.
 */
async function storeExpiry(connection: pg.PoolClient, repository: number, expiry: Expiry): Promise<void> {
  const [before, jobs] = expiryValues(expiry);
  await connection.query('SELECT FROM repositories WHERE id = $1 FOR NO KEY UPDATE', [repository]);
  await connection.query(
    'UPDATE job_expiry SET before = greatest(before, $2::timestamptz) WHERE repository = $1 AND ($3::jsonb -> organization -> job) IS NULL',
    [repository, before, jobs],
  );
  await connection.query(
    `INSERT INTO job_expiry (repository, organization, job, before)
     SELECT r.id, named.organization, named.job, greatest(named.before, r.expired_before)
     FROM repositories r, ${jobInstants('$2')} named WHERE r.id = $1
     ON CONFLICT (repository, organization, job) DO UPDATE
     SET before = greatest(job_expiry.before, ($2::jsonb -> excluded.organization ->> excluded.job)::timestamptz)`,
    [repository, jobs],
  );
  if (expiry.before === null) return;
  await connection.query(
    'UPDATE repositories SET expired_before = greatest(expired_before, $2::timestamptz) WHERE id = $1',
    [repository, before],
  );
}

/** All that was ever expired. */
async function expiryOfRepository(connection: Connection, repository: number): Promise<Expiry> {
  const found = await row<{ before: Date | null }>(
    connection,
    'SELECT expired_before AS before FROM repositories WHERE id = $1',
    [repository],
  );
  const jobs = await rows<JobExpiry>(
    connection,
    'SELECT organization AS "organizationId", job, before FROM job_expiry WHERE repository = $1',
    [repository],
  );
  return { before: found?.before ?? null, jobs };
}

/**
 * After runs have ended: the objects they have need no older restore point any more. Should a run be older than the last expiry, which was
 * applied first then, what it ended is gone as well.
 */
export async function expireAfter(
  connection: pg.PoolClient,
  repository: number,
  runs: readonly number[],
): Promise<void> {
  // One end after the other: two at once would each believe that the other's objects stay in the old restore point.
  await connection.query('SELECT FROM repositories WHERE id = $1 FOR NO KEY UPDATE', [repository]);
  const expiry = await expiryOfRepository(connection, repository);
  if (expiry.before === null && expiry.jobs.length === 0) return;
  const own = await rows<{ object: number }>(
    connection,
    `SELECT p.object FROM restore_point_objects p JOIN runs r ON r.id = p.run
     WHERE r.repository = $1 AND r.id = ANY ($4::integer[]) AND r.started_at < (
       SELECT max(given.before) FROM ${ALL_INSTANTS} given)`,
    [repository, ...expiryValues(expiry), runs],
  );
  const left = await leaveOld(connection, repository, expiry);
  const objects = [...new Set([...left, ...own.map(({ object }) => object)])];
  if (objects.length > 0) await removeEnded(connection, repository, expiry, 'object = ANY($4)', objects);
}

/** Takes objects out of old restore points that are not their newest; one that is left by all is none any more. @returns these objects */
async function leaveOld(connection: pg.PoolClient, repository: number, expiry: Expiry): Promise<number[]> {
  const left = await rows<{ object: number }>(
    connection,
    `WITH newest AS MATERIALIZED (${NEWEST})
     DELETE FROM restore_point_objects p USING runs r
     WHERE r.id = p.run AND r.repository = $1 AND r.kind = 'backup' AND r.finished_at < ${BEFORE_OF} AND NOT r.is_expired
       AND NOT EXISTS (SELECT FROM newest n WHERE n.object = p.object AND n.run = p.run) RETURNING p.object`,
    [repository, ...expiryValues(expiry)],
  );
  await connection.query(
    `UPDATE runs r SET is_expired = true, findings = CASE WHEN ${EXTENDS_RETENTION} THEN r.findings END
     WHERE r.repository = $1 AND r.finished_at < ${BEFORE_OF} AND (NOT r.is_expired OR (r.findings IS NOT NULL AND NOT ${EXTENDS_RETENTION}))
       AND NOT EXISTS (SELECT FROM restore_point_objects p WHERE p.run = r.id)`,
    [repository, ...expiryValues(expiry)],
  );
  return left.map(({ object }) => object);
}

/** An entry represents versions with the same words up to the one with which it ends, and is deleted with that. */
async function removeEnded(
  connection: pg.PoolClient,
  repository: number,
  expiry: Expiry,
  which: string,
  ...given: (readonly number[])[]
): Promise<void> {
  await connection.query(
    `WITH ${expiryTables(expiry)},
     gone AS (DELETE FROM item_versions v WHERE ${which} AND ${ENDED} RETURNING v.object, v.item, v.first, v.last),
     unsearched AS (
       DELETE FROM search_entries e USING gone WHERE e.object = gone.object AND e.item = gone.item AND e.last = gone.last)
     DELETE FROM unindexed u USING gone WHERE u.object = gone.object AND u.item = gone.item AND u.first = gone.first`,
    [repository, ...expiryValues(expiry), ...given],
  );
}

/** What an expiry at this instant would remove. */
export async function countExpirable(
  connection: Connection,
  repository: number,
  expiry: Expiry,
): Promise<{ versions: number; bytes: number; restorePoints: number }> {
  const counted = await row<{ versions: number; bytes: number; restorePoints: number }>(
    connection,
    `WITH ${expiryTables(expiry)}
     SELECT count(*) AS versions, coalesce(sum(size), 0) AS bytes,
       (SELECT count(*) FROM runs r WHERE r.repository = $1 AND r.kind = 'backup' AND r.finished_at < ${BEFORE_OF} AND NOT r.is_expired
         AND EXISTS (SELECT FROM restore_point_objects p WHERE p.run = r.id)
         AND NOT EXISTS (SELECT FROM newest n WHERE n.run = r.id)) AS "restorePoints"
     FROM item_versions v WHERE ${OF_REPOSITORY} AND ${ENDED}`,
    [repository, ...expiryValues(expiry)],
  );
  return counted ?? { versions: 0, bytes: 0, restorePoints: 0 };
}

/** For each object that stays in old restore points, the oldest revision it has there. */
export async function retainedRevisions(
  connection: Connection,
  repository: number,
  expiry: Expiry,
): Promise<Map<number, number>> {
  const newest = await rows<{ object: number; revision: number }>(connection, NEWEST, [
    repository,
    ...expiryValues(expiry),
  ]);
  const oldest = new Map<number, number>();
  for (const { object, revision } of newest) oldest.set(object, Math.min(revision, oldest.get(object) ?? revision));
  return oldest;
}

/** For each object the instant before which versions of it go. */
export async function objectExpiry(
  connection: Connection,
  repository: number,
  expiry: Expiry,
): Promise<(object: number) => Date> {
  const found = await rows<{ object: number | null; before: Date }>(
    connection,
    `WITH ${expiryTables(expiry)} SELECT object, before FROM object_expiry UNION ALL SELECT NULL, ${EARLIEST}`,
    [repository, ...expiryValues(expiry)],
  );
  const instants = new Map(found.map(({ object, before }) => [object, before]));
  return (object) => instants.get(object) ?? instants.get(null) ?? new Date(0);
}

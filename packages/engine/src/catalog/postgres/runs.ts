import { type Expiry, earlierOf, type JobExpiry } from '../../model/expiry.ts';
import type { ObjectFlag, Outcome } from '../../model/outcome.ts';
import type { KnownCommit, RunHeader } from '../../repository/commit.ts';
import type { CatalogJob, CatalogObject, ListedRestorePoint, RestorePoint, RestorePointFilter } from '../catalog.ts';
import { catalogObject, OBJECT_COLUMNS, type ObjectRow } from './objects.ts';
import { BEFORE_OF, expiryValues } from './retention/expiry-values.ts';
import { type Connection, row, rows } from './sessions/connection.ts';

/** The last sequence applied of each run that is neither ended nor closed. */
export async function openRuns(connection: Connection, repository: number): Promise<Map<string, number>> {
  const open = await rows<{ run: string; last_sequence: number }>(
    connection,
    'SELECT run, last_sequence FROM runs WHERE repository = $1 AND is_open ORDER BY run',
    [repository],
  );
  return new Map(open.map(({ run, last_sequence }) => [run, last_sequence]));
}

/** The last sequence applied of each run, or of some. */
export async function lastCommits(
  connection: Connection,
  repository: number,
  runs: readonly string[] | null,
): Promise<Map<string, number>> {
  const known = await rows<{ run: string; last_sequence: number }>(
    connection,
    'SELECT run, last_sequence FROM runs WHERE repository = $1 AND ($2::text[] IS NULL OR run = ANY ($2)) ORDER BY run',
    [repository, runs],
  );
  return new Map(known.map(({ run, last_sequence }) => [run, last_sequence]));
}

const FOLLOWS_MAX = 1_000;

/** The last commits that no run names yet, the newest runs first. */
export async function unfollowed(connection: Connection, repository: number): Promise<KnownCommit[]> {
  const found = await rows<{ run: string; last_sequence: number }>(
    connection,
    `SELECT run, last_sequence FROM runs WHERE repository = $1 AND followed < last_sequence
     ORDER BY run DESC LIMIT ${FOLLOWS_MAX}`,
    [repository],
  );
  return found.map(({ run, last_sequence }): KnownCommit => [run, last_sequence]);
}

export async function markFollowed(
  connection: Connection,
  repository: number,
  follows: readonly KnownCommit[],
): Promise<void> {
  if (follows.length === 0) return;
  await connection.query(
    // "offset 0": each run is found by its id, whatever is known of the table; in one that grows quickly a join would read all runs for each.
    `UPDATE runs SET followed = greatest(followed, named.sequence)
     FROM unnest($2::text[], $3::integer[]) AS named (run, sequence)
     CROSS JOIN LATERAL (SELECT r.id FROM runs r WHERE r.repository = $1 AND r.run = named.run OFFSET 0) AS found
     WHERE runs.id = found.id`,
    [repository, follows.map(([run]) => run), follows.map(([, sequence]) => sequence)],
  );
}

/** The last sequence applied of the runs whose ids are in a range, in the order of their ids. */
export async function commitsBetween(
  connection: Connection,
  repository: number,
  after: string,
  to: string | null,
  limit: number | null,
  isLoose = false,
): Promise<Map<string, number>> {
  const known = await rows<{ run: string; last_sequence: number }>(
    connection,
    `SELECT run, last_sequence FROM runs WHERE repository = $1 AND run > $2 AND ($3::text IS NULL OR run <= $3)
     ${isLoose ? 'AND segment IS NULL' : ''} ORDER BY run LIMIT $4`,
    [repository, after, to, limit],
  );
  return new Map(known.map(({ run, last_sequence }) => [run, last_sequence]));
}

/** The generation of the repository whose journals were applied. */
export async function generationOf(connection: Connection, repository: number): Promise<string> {
  const found = await row<{ generation: string }>(connection, 'SELECT generation FROM repositories WHERE id = $1', [
    repository,
  ]);
  return found?.generation ?? '';
}

export async function setGeneration(connection: Connection, repository: number, generation: string): Promise<void> {
  await connection.query('UPDATE repositories SET generation = $2 WHERE id = $1', [repository, generation]);
}

/** When the locks in the store were looked at last. */
export async function locksReviewedAt(connection: Connection, repository: number): Promise<Date | null> {
  const found = await row<{ at: Date | null }>(
    connection,
    'SELECT locks_reviewed_at AS at FROM repositories WHERE id = $1',
    [repository],
  );
  return found?.at ?? null;
}

export async function setLocksReviewedAt(connection: Connection, repository: number, at: Date): Promise<void> {
  await connection.query('UPDATE repositories SET locks_reviewed_at = $2 WHERE id = $1', [repository, at]);
}

interface ListedRow {
  run: string;
  kind: RunHeader['kind'];
  job: string;
  job_name: string;
  organization: string;
  started_at: Date;
  outcome: Outcome;
  finished_at: Date;
  counts: string;
}

interface RestorePointRow extends ListedRow {
  findings: string;
  objects: [string, number][];
}

const LISTED = 'r.run, r.kind, r.job, r.job_name, r.organization, r.started_at, r.outcome, r.finished_at, r.counts';

/** A backup that ended, be it partial. One that failed before it read any object has no state to go back to. */
const IS_RESTORE_POINT = `r.repository = $1 AND r.kind = 'backup' AND r.finished_at IS NOT NULL AND NOT r.is_expired
    AND EXISTS (SELECT FROM restore_point_objects p WHERE p.run = r.id)`;

/** Restore points, the newest first. */
export async function listRestorePoints(
  connection: Connection,
  repository: number,
  { organizationId, job, object, from, to, limit, offset }: RestorePointFilter,
): Promise<ListedRestorePoint[]> {
  const found = await rows<ListedRow & { incomplete: number; revision: number | null; flag: ObjectFlag | null }>(
    connection,
    `SELECT ${LISTED}, p.revision, r.findings::json -> 'objects' ->> $4 AS flag,
       (SELECT count(*) FROM json_each_text(coalesce(r.findings::json -> 'objects', '{}')) WHERE value = 'incomplete') AS incomplete
     FROM runs r ${object === undefined ? 'CROSS JOIN (SELECT NULL::integer AS revision) p' : OF_OBJECT}
     WHERE ${IS_RESTORE_POINT} AND ($2::text IS NULL OR r.organization = $2) AND ($3::text IS NULL OR r.job = $3)
       AND ($4::text IS NULL OR p.revision IS NOT NULL)
       AND ($5::timestamptz IS NULL OR r.finished_at >= $5) AND ($6::timestamptz IS NULL OR r.finished_at <= $6)
     ORDER BY r.finished_at DESC, r.id DESC LIMIT $7 OFFSET $8`,
    [repository, organizationId ?? null, job ?? null, object ?? null, from ?? null, to ?? null, limit, offset],
  );
  return found.map(({ incomplete, revision, flag, ...point }) => ({
    ...listed(point),
    incompleteObjects: incomplete,
    revision,
    flag,
  }));
}

const OF_OBJECT = `JOIN objects o ON o.repository = $1 AND o.key = $4
     JOIN restore_point_objects p ON p.run = r.id AND p.object = o.id`;

export async function findRestorePoint(
  connection: Connection,
  repository: number,
  run: string,
): Promise<RestorePoint | null> {
  const found = await row<RestorePointRow>(
    connection,
    `SELECT ${LISTED}, r.findings, coalesce((SELECT json_agg(json_build_array(o.key, p.revision) ORDER BY o.key)
       FROM restore_point_objects p JOIN objects o ON o.id = p.object WHERE p.run = r.id), '[]') AS objects
     FROM runs r WHERE ${IS_RESTORE_POINT} AND r.run = $2`,
    [repository, run],
  );
  return found && restorePoint(found);
}

/** An expiry, moved back to the earliest start of the runs of each job whose restore points stay. */
export async function startOfRetained(connection: Connection, repository: number, expiry: Expiry): Promise<Expiry> {
  const found = await rows<JobExpiry & { isNamed: boolean }>(
    connection,
    `SELECT stays."organizationId", stays.job, stays."isNamed", min(stays.started_at) AS before FROM (
       SELECT r.organization AS "organizationId", r.job, ($3::jsonb -> r.organization -> r.job) IS NOT NULL AS "isNamed", r.started_at
       FROM runs r WHERE r.repository = $1 AND r.kind = 'backup' AND NOT r.is_expired AND r.finished_at >= ${BEFORE_OF}) stays
     GROUP BY 1, 2, 3 ORDER BY before`,
    [repository, ...expiryValues(expiry)],
  );
  const others = found.find(({ isNamed }) => !isNamed);
  return earlierOf(expiry, { before: others?.before ?? null, jobs: found.filter(({ isNamed }) => isNamed) });
}

/** The jobs with restore points: the end of the newest, and the retention that the newest run says which says any; that one may be expired. */
export function listJobs(connection: Connection, repository: number): Promise<CatalogJob[]> {
  return rows(
    connection,
    `WITH present AS (
       SELECT r.organization, r.job, count(*)::integer AS points, min(r.finished_at) AS oldest, max(r.finished_at) AS newest FROM runs r
       WHERE r.repository = $1 AND r.kind = 'backup' AND r.finished_at IS NOT NULL AND NOT r.is_expired
         AND EXISTS (SELECT FROM restore_point_objects p WHERE p.run = r.id) GROUP BY r.organization, r.job),
     retention AS (
       SELECT DISTINCT ON (r.organization, r.job) r.organization, r.job, r.keep_days FROM runs r
       WHERE r.repository = $1 AND r.kind = 'backup' AND r.finished_at IS NOT NULL AND r.says_keep_days
       ORDER BY r.organization, r.job, r.finished_at DESC, r.run DESC)
     SELECT organization AS "organizationId", job, keep_days AS "keepDays", points AS "restorePoints", oldest, newest
     FROM present LEFT JOIN retention USING (organization, job) ORDER BY organization, job`,
    [repository],
  );
}

function restorePoint({ findings, objects, ...found }: RestorePointRow): RestorePoint {
  return { ...listed(found), findings: JSON.parse(findings), objects };
}

function listed({ run, kind, job, job_name, organization, started_at, outcome, finished_at, counts }: ListedRow) {
  return {
    run: { id: run, kind, job, jobName: job_name, organizationId: organization, startedAt: started_at },
    outcome,
    finishedAt: finished_at,
    // Written by `applyEnd` alone, like the findings.
    counts: JSON.parse(counts),
    isPartial: outcome !== 'Success',
  };
}

/** The objects of a restore point with their revisions, in the order of their names. */
export async function restorePointObjects(
  connection: Connection,
  repository: number,
  run: string,
): Promise<{ object: CatalogObject; revision: number }[]> {
  const found = await rows<ObjectRow & { at_revision: number }>(
    connection,
    `SELECT ${OBJECT_COLUMNS}, p.revision AS at_revision
     FROM runs r JOIN restore_point_objects p ON p.run = r.id JOIN objects o ON o.id = p.object
     WHERE r.repository = $1 AND r.run = $2 ORDER BY lower(o.name), o.name, o.key`,
    [repository, run],
  );
  return found.map((one) => ({ object: catalogObject(one), revision: one.at_revision }));
}

import type pg from 'pg';
import { EngineError } from '../../../model/engine-error.ts';
import type { RunEnd } from '../../../repository/commit.ts';
import { expireAfter } from '../retention/expiry.ts';
import { rows } from '../sessions/connection.ts';

/** Applies the end of a run with the state of its objects: of a backup, a restore point. @throws `damaged` for an object without a commit */
export async function applyEnd(
  connection: pg.PoolClient,
  repository: number,
  run: number,
  end: RunEnd,
  place: string,
  isOverGaps: boolean,
): Promise<void> {
  await connection.query('UPDATE runs SET outcome = $2, finished_at = $3, counts = $4, findings = $5 WHERE id = $1', [
    run,
    end.outcome,
    end.finishedAt,
    orderedJson(end.counts),
    orderedJson(end.findings),
  ]);
  const found = await storeObjects(connection, repository, run, end.objects);
  if (found < end.objects.length && !isOverGaps) throw missingObjects(place, end.objects.length, found);
  await expireAfter(connection, repository, [run]);
}

/**
 * Stores objects at the revisions that the end names, or under which those were stored.
 * @returns how many of them the catalog has; one that it does not have that far is stored as far as it goes
 */
async function storeObjects(
  connection: pg.PoolClient,
  repository: number,
  run: number,
  objects: RunEnd['objects'],
): Promise<number> {
  const revisions = new Map(objects);
  const stored = await rows<{ is_there: boolean }>(
    connection,
    `WITH named AS (
       SELECT o.id, coalesce(d.kept_as, given.revision) AS revision, o.revision AS last, o.erased_revision, o.newest
       FROM unnest($3::text[], $4::integer[]) AS given (key, revision)
       JOIN objects o ON o.repository = $1 AND o.key = given.key
       LEFT JOIN doubled_revisions d ON d.run = $2 AND d.object = o.id AND d.revision = given.revision),
     stored AS (
       INSERT INTO restore_point_objects (run, object, revision, newest)
       SELECT $2, id, least(revision, last), newest FROM named WHERE revision > erased_revision)
     SELECT revision <= last AS is_there FROM named`,
    [repository, run, [...revisions.keys()], [...revisions.values()]],
  );
  return objects.length - revisions.size + stored.filter(({ is_there }) => is_there).length;
}

function missingObjects(place: string, named: number, found: number): EngineError {
  return new EngineError(
    'damaged',
    `The ${place} ends with ${named} objects, of which the catalog has ${found} at these revisions: a commit is missing. ` +
      'Rebuild the catalog from the repository.',
  );
}

/** JSON with members in the order of their names: equal values have equal texts, however they were made. */
export function orderedJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

import type pg from 'pg';
import { EngineError } from '../../model/engine-error.ts';
import type { RunEnd } from '../../repository/commit.ts';
import { expireAfter } from './expiry.ts';

/** The end of a run, with the state of its objects: of a backup, a restore point. @throws `damaged` for an object nobody committed */
export async function applyEnd(
  connection: pg.PoolClient,
  repository: number,
  run: number,
  end: RunEnd,
  place: string,
): Promise<void> {
  await connection.query('UPDATE runs SET outcome = $2, finished_at = $3, counts = $4, findings = $5 WHERE id = $1', [
    run,
    end.outcome,
    end.finishedAt,
    orderedJson(end.counts),
    orderedJson(end.findings),
  ]);
  await storeObjects(connection, repository, run, end.objects, place);
  await expireAfter(connection, repository, run);
}

async function storeObjects(
  connection: pg.PoolClient,
  repository: number,
  run: number,
  objects: RunEnd['objects'],
  place: string,
): Promise<void> {
  const revisions = new Map(objects);
  const { rowCount } = await connection.query(
    `INSERT INTO restore_point_objects (run, object, revision, newest)
     SELECT $2, o.id, named.revision, o.newest FROM unnest($3::text[], $4::integer[]) AS named (key, revision)
     JOIN objects o ON o.repository = $1 AND o.key = named.key AND named.revision <= o.revision`,
    [repository, run, [...revisions.keys()], [...revisions.values()]],
  );
  if (rowCount === revisions.size) return;
  throw new EngineError(
    'damaged',
    `The ${place} ends with ${revisions.size} objects, of which the catalog has ${rowCount} at these revisions: a commit is missing. ` +
      'Rebuild the catalog from the repository.',
  );
}

/** JSON with members in the order of their names: equal values have equal texts, whoever made them. */
function orderedJson(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}

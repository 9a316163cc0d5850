import type { Findings } from '../../model/outcome.ts';
import type { ObjectFindings } from '../catalog.ts';
import { type Connection, row } from './sessions/connection.ts';

/** As many of each sort as the end of a run lists (`backup-report.ts`). */
const LISTED_MAX = 1_000;

/**
 * What the run found that read an object last at a revision. Runs that did not read it, and left it as it was, say nothing of it. The order is
 * settled before findings are parsed, of which an object that does not change has one for each run.
 */
export async function objectFindings(
  connection: Connection,
  repository: number,
  key: string,
  revision: number,
  restorePoint: string | undefined,
): Promise<ObjectFindings | null> {
  const found = await row<{ findings: string }>(
    connection,
    `SELECT findings FROM (
       SELECT r.findings FROM runs r
       JOIN objects o ON o.repository = $1 AND o.key = $2
       JOIN restore_point_objects p ON p.run = r.id AND p.object = o.id
       WHERE r.repository = $1 AND p.revision = $3 AND r.kind = 'backup' AND r.finished_at IS NOT NULL
       ORDER BY coalesce(r.run = $4, false) DESC, r.finished_at DESC, r.id DESC OFFSET 0) reading
     WHERE coalesce(findings::json -> 'objects' ->> $2, '') NOT IN ('unread', 'unlisted') LIMIT 1`,
    [repository, key, revision, restorePoint ?? null],
  );
  return found === null ? null : findingsOf(JSON.parse(found.findings), key);
}

/** `null`: it is known to be whole. */
function findingsOf({ objects = {}, failures, lost }: Findings, key: string): ObjectFindings | null {
  const isOf = ({ objectKey }: { objectKey?: string | undefined }) => objectKey === key;
  const flag = objects[key];
  const items = lost.filter(isOf);
  const messages = failures.filter(isOf).map(({ message }) => message);
  // That much of an object was deleted is said as a failure too, and nothing is missing because of it.
  const isWhole = flag === undefined || (flag === 'shrunk' && items.length === 0 && messages.length <= 1);
  if (isWhole) return null;
  return { failures: messages, lost: items, isCut: [failures, lost].some(({ length }) => length >= LISTED_MAX) };
}

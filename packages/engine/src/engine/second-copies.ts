import { EngineError } from '../model/engine-error.ts';
import { type RestoreRequest, restoreFingerprint } from '../restore/restore.ts';
import type { RestoreJournals } from '../restore/restore-journals.ts';
import type { Stored } from './work.ts';

/** As many of the newest restore points of an object as are looked through. */
const POINTS_MAX = 1_000;

/**
 * A restore that was broken off knows its own copies by its journal, and a backup meanwhile makes of the same choice of the newest restore point
 * another restore: it would put a copy beside each copy.
 * @throws `bad-request` for one that keeps both while the same one of another restore point is not finished
 */
export async function refuseSecondCopies(
  { repository, catalog }: Stored,
  journals: RestoreJournals,
  request: RestoreRequest,
): Promise<void> {
  const { scope, options } = request;
  if (options.conflict !== 'keep-both') return;
  const { key } = scope.object;
  for (const { finishedAt, revision } of await catalog.listRestorePoints({
    object: key,
    limit: POINTS_MAX,
    offset: 0,
  })) {
    if (revision === null || revision === scope.revision) continue;
    const other = restoreFingerprint({ repository }, { ...request, scope: { ...scope, revision } });
    if (!(await journals.has(other))) continue;
    throw new EngineError(
      'bad-request',
      `The same restore from an earlier restore point is not finished, and this one would put its copies there once more. Finish it with --at ${finishedAt.toISOString()}, or remove its journal ${journals.placeOf(other)} to start over.`,
    );
  }
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';
import type { Repository } from '../repository/repository.ts';
import { type RestoreRequest, restoreFingerprint } from '../restore/restore.ts';

/** As many of the newest restore points of an object as are looked through. */
const POINTS_MAX = 1_000;

/** Where the journal of a restore is unless a file was given. */
export const journalPathOf = (repository: Repository, folder: string, request: RestoreRequest): string =>
  join(folder, `${restoreFingerprint({ repository }, request)}.jsonl`);

/**
 * A restore that was broken off knows its own copies by its journal, and without `--at` a backup meanwhile makes of the same words another
 * restore: it would put a copy beside each copy.
 * @throws `bad-request` for one that keeps both while the same one of another restore point is not finished
 */
export async function refuseSecondCopies(
  repository: Repository,
  catalog: RepositoryCatalog,
  folder: string,
  request: RestoreRequest,
): Promise<void> {
  const { scope, options } = request;
  if (options.conflict !== 'keep-both') return;
  const { key } = scope.object;
  for (const { finishedAt, objects } of await catalog.listRestorePoints({
    object: key,
    limit: POINTS_MAX,
    offset: 0,
  })) {
    const revision = objects.find(([of]) => of === key)?.[1];
    if (revision === undefined || revision === scope.revision) continue;
    const path = journalPathOf(repository, folder, { ...request, scope: { ...scope, revision } });
    if (!existsSync(path)) continue;
    throw new EngineError(
      'bad-request',
      `The same restore from an earlier restore point is not finished, and this one would put its copies there once more. Finish it with --at ${finishedAt.toISOString()}, or remove its journal ${path} to start over.`,
    );
  }
}

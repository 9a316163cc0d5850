import type { DoubledRevision, RepositoryCatalog } from '../catalog/catalog.ts';
import type { Repository } from '../repository/repository.ts';
import { RunApplier } from './apply-runs.ts';

export interface RebuildProgress {
  runs: number;
  commits: number;
  restorePoints: number;
}

export interface RebuildResult extends RebuildProgress {
  /** Revisions that two runs had brought: both are kept, and their objects are read anew. */
  doubled: readonly DoubledRevision[];
}

/**
 * Makes the catalog anew from the repository alone: what is done when the database is lost. Reads journals, no packs; words for the search
 * are indexed afterwards, as after a backup. Cut short, the next `catchUp` does the rest.
 *
 * @throws `damaged` when a commit is missing that others build on
 */
export async function rebuild(
  repository: Repository,
  catalog: RepositoryCatalog,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: (progress: RebuildProgress) => void } = {},
): Promise<RebuildResult> {
  await catalog.clear();
  let runs = 0;
  const progress = () => ({ runs, commits: applier.commits, restorePoints: applier.restorePoints });
  const applier = new RunApplier(repository, catalog, () => {
    signal?.throwIfAborted();
    onProgress?.(progress());
  });
  for await (const { run, commits } of repository.listRuns()) {
    runs += 1;
    await applier.take({ run, applied: 0, listed: commits });
  }
  applier.finish();
  return { ...progress(), doubled: applier.doubled };
}

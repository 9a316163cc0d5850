import type { RepositoryCatalog } from '../catalog/catalog.ts';
import type { Repository } from '../repository/repository.ts';

export interface RebuildProgress {
  runs: number;
  commits: number;
  restorePoints: number;
}

/**
 * Makes the catalog anew from the repository alone: what is done when the database is lost. Reads journals, no packs; words for the search
 * are indexed afterwards, as after a backup.
 */
export async function rebuild(
  repository: Repository,
  catalog: RepositoryCatalog,
  { signal, onProgress }: { signal?: AbortSignal; onProgress?: (progress: RebuildProgress) => void } = {},
): Promise<RebuildProgress> {
  await catalog.clear();
  const progress: RebuildProgress = { runs: 0, commits: 0, restorePoints: 0 };
  for await (const { run } of repository.listRuns()) {
    progress.runs += 1;
    for (let sequence = 1; ; sequence += 1) {
      signal?.throwIfAborted();
      const commit = await repository.findCommit(run, sequence);
      if (commit === null) break;
      await catalog.apply(commit);
      progress.commits += 1;
      if (commit.end !== null) progress.restorePoints += 1;
      onProgress?.(progress);
    }
  }
  return progress;
}

import type { RepositoryCatalog } from '../catalog/catalog.ts';
import type { Repository } from '../repository/repository.ts';

/**
 * Closes the journals of runs whose processes hold no lock in the store any more, so that no process can append to them. What
 * they committed stays, and is applied.
 */
export async function closeDeadRuns(repository: Repository, catalog: RepositoryCatalog, by: string): Promise<void> {
  const open = [...(await catalog.openRuns())].filter(([run]) => run !== by);
  if (open.length === 0) return;
  // Asked after the runs were: each of them took its lock before it could be seen.
  const living = await repository.livingRuns();
  for (const [run, sequence] of open) if (!living.has(run)) await closeRun(repository, catalog, run, sequence, by);
}

/**
 * Closes all other runs that are not ended. For the holder of an exclusive lock: who works without a lock in the store may not go on.
 */
export async function closeOtherRuns(repository: Repository, catalog: RepositoryCatalog, by: string): Promise<void> {
  for (const [run, sequence] of await catalog.openRuns())
    if (run !== by) await closeRun(repository, catalog, run, sequence, by);
}

async function closeRun(
  repository: Repository,
  catalog: RepositoryCatalog,
  run: string,
  sequence: number,
  by: string,
): Promise<void> {
  for (const commit of await repository.closeRun(run, sequence, by)) await catalog.apply(commit);
}

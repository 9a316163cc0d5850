import type { RepositoryCatalog } from '../catalog/catalog.ts';
import type { Repository } from '../repository/repository.ts';

/** A run whose journal is not whole, and what is wrong with it. */
export interface JournalFault {
  run: string;
  fault: string;
}

/**
 * Commits that the catalog has applied, or whose successors are there, and that are no longer in the store. For them the catalog is the
 * only one that knows what they said. Lists names, and reads nothing.
 */
export async function lostJournals(repository: Repository, catalog: RepositoryCatalog): Promise<JournalFault[]> {
  // Before the store is listed: what is committed meanwhile is in the store already when the catalog hears of it.
  const known = new Map(await catalog.lastCommits());
  const faults: JournalFault[] = [];
  for await (const { run, commits, isWhole } of repository.listRuns()) {
    const applied = known.get(run) ?? 0;
    known.delete(run);
    if (!isWhole) faults.push({ run, fault: `a commit before commit ${commits} is not in the store` });
    if (applied > commits)
      faults.push({ run, fault: `of ${applied} commits the last ${applied - commits} are not in the store` });
  }
  for (const [run, applied] of known) faults.push({ run, fault: `none of its ${applied} commits is in the store` });
  return faults;
}

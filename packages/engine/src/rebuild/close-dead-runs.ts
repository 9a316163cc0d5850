import type { RepositoryCatalog } from '../catalog/catalog.ts';
import type { Repository } from '../repository/repository.ts';

/** How long a process may be silent before it counts as dead. Renewed three times as often. */
export const LEASE_MS = 60_000;

/** The name under which a run keeps saying that it lives. */
export function runLease(run: string): string {
  return `run/${run}`;
}

/**
 * Closes the journals of runs whose processes no longer renew their lease, so that nothing can be added to them by anybody. What they
 * committed stays, and is applied.
 */
export async function closeDeadRuns(repository: Repository, catalog: RepositoryCatalog, by: string): Promise<void> {
  for (const [run, sequence] of await catalog.openRuns()) {
    if (run === by || !(await catalog.lease(runLease(run), by, LEASE_MS))) continue;
    for (const commit of await repository.closeRun(run, sequence, by)) await catalog.apply(commit);
    await catalog.releaseLease(runLease(run), by);
  }
}

import type { LeaseTimes } from '../backup/lease.ts';
import type { RepositoryCatalog } from '../catalog/catalog.ts';
import type { Repository } from '../repository/repository.ts';

/** How long a process may be silent before it counts as dead, and when it stops before that. */
export const RUN_LEASE: LeaseTimes = { ttlMs: 60_000, lostMs: 45_000 };

/** The name under which a run keeps saying that it lives. */
export function runLease(run: string): string {
  return `run/${run}`;
}

/**
 * Closes the journals of runs whose processes no longer renew their lease, so that nothing can be added to them by anybody. What they
 * committed stays, and is applied.
 * @returns the runs that were closed
 */
export async function closeDeadRuns(repository: Repository, catalog: RepositoryCatalog, by: string): Promise<string[]> {
  const closed: string[] = [];
  for (const [run, sequence] of await catalog.openRuns()) {
    if (run === by || !(await catalog.lease(runLease(run), by, RUN_LEASE.ttlMs))) continue;
    await closeRun(repository, catalog, run, sequence, by);
    await catalog.releaseLease(runLease(run), by);
    closed.push(run);
  }
  return closed;
}

/**
 * Closes all other runs that are not ended. For the holder of an exclusive lock: who works without a lock in the store may not go on,
 * whatever the catalog hears of him.
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

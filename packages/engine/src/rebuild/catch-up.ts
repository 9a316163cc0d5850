import type { DoubledRevision, RepositoryCatalog } from '../catalog/catalog.ts';
import type { AcceptedLosses } from '../model/accepted-losses.ts';
import type { Repository } from '../repository/repository.ts';
import { RunApplier } from './apply-runs.ts';
import { compareWithStore } from './compare-with-store.ts';
import type { LostRevisions } from './lost-revisions.ts';
import { stoppableCatalog, stoppableRepository } from './stoppable-parts.ts';

export interface CatchUpOptions {
  signal?: AbortSignal;
  /** Called after each commit with how many were applied so far. */
  onCommit?: (commits: number) => void;
  /** What is passed over; without it, what the repository says was accepted as lost. */
  losses?: { accepted: AcceptedLosses; lostRevisions: LostRevisions };
}

/**
 * Brings the catalog up to what the repository's journals say: after a crash between the two, or when another catalog was used
 * meanwhile. Lists all journals, and reads those that the catalog does not know to their end. All of them, although most are known: names begin
 * with the time of the machine that wrote them, and a prune by a machine whose clock is behind must not be missed (format, 6).
 *
 * @returns how many commits were applied, and revisions that two runs had brought
 * @throws `damaged` when a commit is missing that others build on, or that the catalog knows: then nothing was applied
 */
export async function catchUp(
  of: Repository,
  into: RepositoryCatalog,
  { signal, onCommit, losses }: CatchUpOptions = {},
): Promise<{ commits: number; doubled: readonly DoubledRevision[] }> {
  const [repository, catalog] = [stoppableRepository(of, signal), stoppableCatalog(into, signal)];
  const applier = new RunApplier(repository, catalog, {
    ...(losses ?? { accepted: await repository.acceptedLosses() }),
    onCommit: () => {
      signal?.throwIfAborted();
      onCommit?.(applier.commits);
    },
    ...(signal === undefined ? {} : { signal }),
  });
  await readOnce(applier, repository, catalog);
  await readOn(applier, repository, catalog);
  await applier.finish();
  return { commits: applier.commits, doubled: applier.doubled };
}

/**
 * Reads again while something is missing that a run builds on, and as long as that brings something: it may have been written only after its own
 * run was read, and before the list came to the run that builds on it.
 */
export async function readOn(applier: RunApplier, repository: Repository, catalog: RepositoryCatalog): Promise<void> {
  for (let before = -1; before < applier.commits && (await applier.isMissing()); ) {
    before = applier.commits;
    await applier.resumeWaiting();
    await readOnce(applier, repository, catalog);
  }
}

async function readOnce(applier: RunApplier, repository: Repository, catalog: RepositoryCatalog): Promise<void> {
  const unknown = await compareWithStore(repository, catalog);
  for (const [run, applied] of await catalog.openRuns()) await applier.applyRun({ run, applied, listed: 0 });
  for (const { run, commits } of unknown) await applier.applyRun({ run, applied: 0, listed: commits });
}

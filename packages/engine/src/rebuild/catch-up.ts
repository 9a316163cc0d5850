import type { DoubledRevision, RepositoryCatalog } from '../catalog/catalog.ts';
import type { AcceptedLosses } from '../model/accepted-losses.ts';
import type { ListedRun, ListedSegment, Repository } from '../repository/repository.ts';
import { RunApplier } from './apply-runs.ts';
import { compareWithStore, noteSegments, type UnknownRuns } from './compare-with-store.ts';
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
 * meanwhile. Lists all journals that are in no segment, and reads those that the catalog does not know to their end. All of them, although most are
 * known: names begin with the time of the machine that wrote them, and a prune by a machine whose clock is behind must not be missed (format, 6).
 *
 * @returns how many commits were applied, and revisions that two runs had brought
 * @throws `damaged` when a commit is missing that others build on, or that the catalog knows: then nothing was applied; or when one that was
 *   accepted as lost is there again
 */
export async function catchUp(
  of: Repository,
  into: RepositoryCatalog,
  { signal, onCommit, losses }: CatchUpOptions = {},
): Promise<{ commits: number; doubled: readonly DoubledRevision[] }> {
  const [repository, catalog] = [stoppableRepository(of, signal), stoppableCatalog(into, signal)];
  const applier = new RunApplier(repository, catalog, {
    ...(losses ?? { accepted: await repository.acceptedLosses(), isInUse: true }),
    onCommit: () => {
      signal?.throwIfAborted();
      onCommit?.(applier.commits);
    },
    ...(signal === undefined ? {} : { signal }),
  });
  const segments = await readOnce(applier, repository, catalog);
  await readOn(applier, repository, catalog);
  await applier.finish();
  await noteSegments(catalog, segments);
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

/** @returns segments that the catalog had not noted */
async function readOnce(
  applier: RunApplier,
  repository: Repository,
  catalog: RepositoryCatalog,
): Promise<UnknownRuns['segments']> {
  const { runs, segments } = await compareWithStore(repository, catalog);
  for (const [segment, listed] of segments) await readSegment(applier, repository, catalog, segment, listed);
  for (const [run, applied] of await catalog.openRuns()) await applier.applyRun({ run, applied, listed: 0 });
  for (const { run, commits } of runs) await applier.applyRun({ run, applied: 0, listed: commits });
  return segments;
}

async function readSegment(
  applier: RunApplier,
  repository: Repository,
  catalog: RepositoryCatalog,
  segment: ListedSegment,
  runs: readonly ListedRun[],
): Promise<void> {
  const known = await catalog.lastCommits(runs.map(({ run }) => run));
  const behind = runs.filter(({ run, commits }) => commits > (known.get(run) ?? 0));
  if (behind.length > 0) await repository.openSegment(segment);
  for (const { run, commits } of behind) await applier.applyRun({ run, applied: known.get(run) ?? 0, listed: commits });
}

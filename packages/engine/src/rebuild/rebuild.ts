import type { DoubledRevision, RepositoryCatalog } from '../catalog/catalog.ts';
import type { AcceptedLosses } from '../model/accepted-losses.ts';
import { EngineError } from '../model/engine-error.ts';
import type { ListedSegment, Repository } from '../repository/repository.ts';
import { versionsLackingChunks } from '../verify/lacking-chunks.ts';
import { markDamage } from '../verify/mark-damage.ts';
import { allRuns } from './all-runs.ts';
import { RunApplier } from './apply-runs.ts';
import { catchUp, readOn } from './catch-up.ts';
import { type JournalFault, lostJournals } from './lost-journals.ts';
import { stoppableCatalog, stoppableRepository } from './stoppable-parts.ts';

export interface RebuildProgress {
  runs: number;
  commits: number;
  restorePoints: number;
}

export interface RebuildResult extends RebuildProgress {
  /** Revisions that two runs had brought: both are stored, and their objects are read again. */
  doubled: readonly DoubledRevision[];
  /** What is lost and was passed over. */
  lost: readonly JournalFault[];
  /** Current items whose bytes are lost with it: the next backup reads them again. */
  itemsToRead: number;
}

export interface RebuildOptions {
  /** Goes on without what is lost, and names it. */
  acceptLoss?: boolean;
  signal?: AbortSignal;
  onProgress?: (progress: RebuildProgress) => void;
}

/**
 * Makes the catalog again from the repository alone: what is done when the database is lost. Reads journals, no packs; words for the search
 * are indexed afterwards, as after a backup. The earlier catalog stays as it is until the new one is whole, and takes its place.
 *
 * @throws `damaged` when a commit is missing that others build on, or that the earlier catalog knows: it is the last one that does;
 *   `locked` while another program rebuilds it
 */
export async function rebuild(
  of: Repository,
  by: RepositoryCatalog,
  { acceptLoss = false, signal, onProgress }: RebuildOptions = {},
): Promise<RebuildResult> {
  const [repository, catalog] = [stoppableRepository(of, signal), stoppableCatalog(by, signal)];
  const accepted = await repository.acceptedLosses();
  const now = new Date();
  const faults = await lostJournals(repository, catalog, accepted);
  if (!acceptLoss) refuseLoss(faults);
  const successor = await catalog.successor();
  const next = stoppableCatalog(successor.catalog, signal);
  try {
    let runs = 0;
    const progress = () => ({ runs, commits: applier.commits, restorePoints: applier.restorePoints });
    const onCommit = () => {
      signal?.throwIfAborted();
      onProgress?.(progress());
    };
    const applier = new RunApplier(repository, next, {
      isOverGaps: acceptLoss,
      isGathering: true,
      accepted,
      onCommit,
      ...(signal === undefined ? {} : { signal }),
    });
    await next.setGeneration(await repository.generation());
    const damaged: string[] = [];
    const reading = { isReading: true, onDamaged: ({ name }: ListedSegment) => damaged.push(name) };
    for await (const { run, commits } of allRuns(repository, reading)) {
      runs += 1;
      await applier.applyRun({ run, applied: 0, listed: commits });
    }
    await readOn(applier, repository, next);
    await applier.finish();
    const named = new Set(applier.lost.map(({ run }) => run));
    const lost = [...applier.lost, ...faults.filter(({ run }) => !named.has(run))];
    if (acceptLoss)
      await settle(repository, next, accepted, { faults: [...applier.lost, ...faults], segments: damaged, at: now });
    await next.setGeneration(await nextGeneration(repository, catalog, lost));
    // What was committed since the list was made; a little of it only once no other run commits.
    await catchUp(repository, next);
    await successor.replace(async () => void (await catchUp(repository, next)));
    const itemsToRead = lost.length > 0 ? await markLacking(repository, catalog, now) : 0;
    return { ...progress(), doubled: applier.doubled, lost, itemsToRead };
  } catch (error) {
    await successor.drop();
    throw error;
  } finally {
    await successor.end();
  }
}

/** Writes what is lost, so that neither a verify nor another rebuild reports it again. */
async function settle(
  repository: Repository,
  catalog: RepositoryCatalog,
  accepted: AcceptedLosses,
  { faults, segments: unreadable, at }: { faults: readonly JournalFault[]; segments: readonly string[]; at: Date },
): Promise<void> {
  const packs = [...(await catalog.damagedChunks()).keys()].filter((pack) => !accepted.hasPack(pack));
  const segments = unreadable.filter((name) => !accepted.hasSegment(name));
  if (faults.length + packs.length + segments.length === 0) return;
  const commits = faults.flatMap(({ run, lost }) => ('from' in lost ? [[run, lost.from, lost.to] as const] : []));
  const withoutLast = faults.flatMap(({ lost }) => ('object' in lost ? [lost] : []));
  const revisions = await Promise.all(
    withoutLast.map(async ({ object, revision }) => [object, revision, await catalog.revisionOf(object)] as const),
  );
  const openRuns = [...(await catalog.openRuns()).keys()];
  await repository.acceptLosses({ at, commits, revisions, openRuns, packs, segments });
}

/** Marks current items whose bytes only lost journals could find, so that the next backup reads them again. @returns how many */
async function markLacking(repository: Repository, catalog: RepositoryCatalog, now: Date): Promise<number> {
  const items = await versionsLackingChunks(repository, catalog);
  if (items.length === 0) return 0;
  const header = { kind: 'verify', job: 'rebuild', jobName: 'Rebuild', organizationId: '' } as const;
  const run = await repository.startRun(header, catalog);
  try {
    return (await markDamage({ repository, catalog, run, now: () => now }, [], items)).itemsToRead;
  } finally {
    await run.abandon();
  }
}

/** Another catalog may know what is lost, and not that it is: unless the loss was accepted before, it begins a new generation. */
async function nextGeneration(
  repository: Repository,
  catalog: RepositoryCatalog,
  lost: readonly JournalFault[],
): Promise<string> {
  const present = await repository.generation();
  return lost.length > 0 && present === (await catalog.generation()) ? repository.beginGeneration() : present;
}

function refuseLoss(faults: readonly JournalFault[]): void {
  const [first] = faults;
  if (first === undefined) return;
  const others = faults.length === 1 ? '' : `, and ${faults.length - 1} more journals have faults`;
  throw new EngineError(
    'damaged',
    `Journal of run ${first.run}: ${first.fault}${others}. A rebuilt catalog would not contain their commits, so the present one stays as it is. Bring the journals back from a copy of the repository; without one, 'rebuild --accept-loss' goes on without what is lost.`,
  );
}

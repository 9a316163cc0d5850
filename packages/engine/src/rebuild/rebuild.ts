import type { DoubledRevision, RepositoryCatalog } from '../catalog/catalog.ts';
import type { AcceptedLosses, Losses } from '../model/accepted-losses.ts';
import { EngineError } from '../model/engine-error.ts';
import type { ListedRun, ListedSegment, LockWait, Repository } from '../repository/repository.ts';
import type { DamagedItem } from '../verify/damaged-item.ts';
import { versionsLackingChunks } from '../verify/lacking-chunks.ts';
import { markDamage } from '../verify/mark-damage.ts';
import { allMissingPacks, markMissingPacks, NONE_MISSING } from '../verify/missing-packs.ts';
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
  /** Packs that journals speak of and that are not in the store. */
  missingPacks: number;
  /** Current items whose bytes are lost with what is missing: the next backup reads them again. */
  itemsToRead: number;
}

export interface RebuildOptions {
  /** Goes on without what is lost, and names it. */
  acceptLoss?: boolean;
  /** Leaves it to the caller to compare packs: who has a lock does not wait for another one, for which a prune may be in line already. */
  leavesPacks?: boolean;
  signal?: AbortSignal;
  onProgress?: (progress: RebuildProgress) => void;
}

/**
 * Makes the catalog again from the repository alone: what is done when the database is lost. Reads journals, and of packs the list; words for the search
 * are indexed afterwards, as after a backup. The earlier catalog stays as it is until the new one is whole, and takes its place.
 *
 * @throws `damaged` when a commit is missing that others build on, or that the earlier catalog knows: it is the last one that does;
 *   `locked` while another program rebuilds it
 */
export async function rebuild(
  of: Repository,
  by: RepositoryCatalog,
  { acceptLoss = false, leavesPacks = false, signal, onProgress }: RebuildOptions = {},
): Promise<RebuildResult> {
  const [repository, catalog] = [stoppableRepository(of, signal), stoppableCatalog(by, signal)];
  const accepted = await repository.acceptedLosses();
  const faults = await lostJournals(repository, catalog, accepted);
  if (!acceptLoss) refuseLoss(faults);
  const successor = await catalog.successor();
  const next = stoppableCatalog(successor.catalog, signal);
  let runs = 0;
  const progress = () => ({ runs, commits: applier.commits, restorePoints: applier.restorePoints });
  const onCommit = () => {
    signal?.throwIfAborted();
    onProgress?.(progress());
  };
  const applier = new RunApplier(repository, next, {
    isOverGaps: acceptLoss,
    isGathering: true,
    isInOrder: true,
    accepted,
    onCommit,
    ...(signal === undefined ? {} : { signal }),
  });
  try {
    await next.setGeneration(await repository.generation());
    const damaged: string[] = [];
    const reading = { isReading: true, onDamaged: ({ name }: ListedSegment) => damaged.push(name) };
    for await (const { run, commits } of withUnlisted(allRuns(repository, reading), await catalog.lastCommits())) {
      if (commits > 0) runs += 1;
      await applier.applyRun({ run, applied: 0, listed: commits });
    }
    await applyUnlisted(applier, catalog, next);
    await readOn(applier, repository, next);
    await applier.finish();
    const named = new Set(applier.lost.map(({ run }) => run));
    const lost = [...applier.lost, ...faults.filter(({ run }) => !named.has(run))];
    const all = [...applier.lost, ...faults];
    await next.setGeneration(await nextGeneration(repository, catalog, lost));
    // What was committed since the list was made, of which a run may be heard of too late once more; a little of it only once no other run commits.
    const { lostRevisions } = applier;
    const losses = { accepted: accepted.and(lossesAtHand(all)), lostRevisions };
    await catchUp(repository, next, { losses });
    await successor.replace(async () => void (await catchUp(repository, next, { losses })));
    const missing = leavesPacks ? NONE_MISSING : await allMissingPacks(repository, catalog);
    const marked = await markMissingPacks(repository, catalog, missing, lockWait(signal)).catch(noneIfReadOnly);
    const settling = { repository, catalog, accepted, faults: all, segments: damaged };
    const itemsToRead = marked + (acceptLoss ? await settle(settling, signal) : 0);
    return { ...progress(), doubled: applier.doubled, lost, itemsToRead, missingPacks: missing.damage.length };
  } catch (error) {
    await applier.settled();
    await successor.drop();
    throw error;
  } finally {
    await successor.end();
  }
}

/** The same runs, and in their places those that the earlier catalog knows and the list leaves out, since it may be late: of these nothing is listed. */
async function* withUnlisted(
  listed: AsyncIterable<Pick<ListedRun, 'run' | 'commits'>>,
  known: ReadonlyMap<string, number>,
): AsyncGenerator<Pick<ListedRun, 'run' | 'commits'>> {
  const unlisted = [...known.keys()].sort();
  let at = 0;
  const before = function* (isBefore: (run: string) => boolean) {
    for (let run = unlisted[at]; run !== undefined && isBefore(run); run = unlisted[at]) {
      at += 1;
      yield { run, commits: 0 };
    }
  };
  for await (const one of listed) {
    yield* before((run) => run < one.run);
    if (unlisted[at] === one.run) at += 1;
    yield one;
  }
  yield* before(() => true);
}

/** What the earlier catalog knows of a run beyond what was listed of it: it is looked for by its name. */
async function applyUnlisted(applier: RunApplier, catalog: RepositoryCatalog, next: RepositoryCatalog): Promise<void> {
  await applier.resumeWaiting();
  const present = await next.lastCommits();
  for (const [run, known] of await catalog.lastCommits()) {
    const applied = present.get(run) ?? 0;
    if (applied < known) await applier.applyRun({ run, applied, listed: 0 });
  }
}

/** A copy that may only be read can be restored from all the same. */
function noneIfReadOnly(error: unknown): number {
  if (error instanceof EngineError && error.code === 'store-refused') return 0;
  throw error;
}

interface Settling {
  repository: Repository;
  catalog: RepositoryCatalog;
  accepted: AcceptedLosses;
  faults: readonly JournalFault[];
  /** Names of those that cannot be read. */
  segments: readonly string[];
}

/** While a prune works. */
const LOCK_WAIT_MS = 60 * 60_000;

const lockWait = (signal: AbortSignal | undefined): LockWait =>
  signal === undefined ? { forMs: LOCK_WAIT_MS } : { forMs: LOCK_WAIT_MS, signal };

/**
 * Marks current items whose bytes only lost journals could find, so that the next backup reads them again, and at last writes what is lost, so that
 * neither a verify nor another rebuild reports it again. Cut short before that, nothing is accepted, and the next rebuild finds it again.
 * @returns how many items are read again
 */
async function settle(settling: Settling, signal: AbortSignal | undefined): Promise<number> {
  const { repository, catalog, accepted, faults } = settling;
  const wait = lockWait(signal);
  const lock = await repository.lock('shared', wait);
  try {
    const at = lock.storeTime;
    const lacking = await versionsLackingChunks(repository, catalog);
    const itemsToRead = lacking.length > 0 ? await markLacking(repository, catalog, lacking, at, wait) : 0;
    const chunks = await lostChunks(catalog, accepted, lacking);
    const segments = settling.segments.filter((name) => !accepted.hasSegment(name));
    if (faults.length + chunks.length + segments.length > 0)
      await repository.acceptLosses({ ...(await lossesNow(catalog, faults, at)), chunks, segments });
    return itemsToRead;
  } finally {
    await lock.release();
  }
}

/** What is about to be accepted: until then every later revision builds on what is lost. */
function lossesAtHand(faults: readonly JournalFault[]): Losses {
  const commits = faults.flatMap(({ run, lost }) => ('from' in lost ? [[run, lost.from, lost.to] as const] : []));
  const revisions = faults.flatMap(({ lost }) =>
    'object' in lost ? [[lost.object, lost.revision, Number.POSITIVE_INFINITY, lost.first] as const] : [],
  );
  return { at: new Date(0), commits, revisions, openRuns: [], chunks: [] };
}

/** The same with what builds on it by now: runs that begin from here on know the rebuilt catalog, and read all that is lost again. */
async function lossesNow(catalog: RepositoryCatalog, faults: readonly JournalFault[], at: Date): Promise<Losses> {
  const { revisions, ...losses } = lossesAtHand(faults);
  const last = await Promise.all(
    revisions.map(async ([object, revision, , first]) => {
      return [object, revision, await catalog.revisionOf(object), first] as const;
    }),
  );
  return { ...losses, at, revisions: last, openRuns: [...(await catalog.openRuns()).keys()] };
}

/** Chunks that cannot be read where they are, or of which no journal has a place, as far as that was not accepted before. */
async function lostChunks(
  catalog: RepositoryCatalog,
  accepted: AcceptedLosses,
  lacking: readonly DamagedItem[],
): Promise<Losses['chunks']> {
  const nowhere = [...new Set(lacking.flatMap(({ chunks }) => chunks))];
  const lost: Losses['chunks'] = [...(await catalog.damagedChunks()), ['', nowhere]];
  return lost
    .map(([pack, ids]) => [pack, ids.filter((id) => !accepted.hasChunk(pack, id))] as const)
    .filter(([, ids]) => ids.length > 0);
}

async function markLacking(
  repository: Repository,
  catalog: RepositoryCatalog,
  items: readonly DamagedItem[],
  at: Date,
  wait: LockWait,
): Promise<number> {
  const header = { kind: 'verify', job: 'rebuild', jobName: 'Rebuild', organizationId: '' } as const;
  const run = await repository.startRun(header, catalog, { wait });
  try {
    return (await markDamage({ repository, catalog, run, now: () => at }, [], items)).itemsToRead;
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
    `Journal of run ${first.run}: ${first.fault}${others}. A rebuilt catalog would not contain their commits, so the present one stays as it is. Bring the journals back from a copy of the repository; without one, a rebuild that accepts the loss goes on without it.`,
    { remedy: 'accept-loss' },
  );
}

import { randomInt } from 'node:crypto';
import type { RepositoryCatalog } from '../catalog/catalog.ts';
import type { AcceptedLosses } from '../model/accepted-losses.ts';
import { EngineError } from '../model/engine-error.ts';
import { allRuns } from '../rebuild/all-runs.ts';
import { catchUpToRead } from '../rebuild/catch-up-to-read.ts';
import { endsRun, sequencesOf } from '../rebuild/journal-gaps.ts';
import { lostJournals } from '../rebuild/lost-journals.ts';
import { stoppableCatalog, stoppableRepository } from '../rebuild/stoppable-parts.ts';
import type { Commit, PackDamage, StoredPack } from '../repository/commit.ts';
import type { ListedSegment, Repository } from '../repository/repository.ts';
import type { DamagedItem } from './damaged-item.ts';
import { versionsLackingChunks, versionsUsing } from './lacking-chunks.ts';
import { type Marked, markDamage } from './mark-damage.ts';
import { type LockReview, reviewLocks } from './review-locks.ts';
import { StrangerCount, type Strangers } from './strangers.ts';
import { withoutOtherCopy } from './without-other-copy.ts';

export interface VerifyResult extends Marked {
  packs: number;
  packsRead: number;
  bytesRead: number;
  /** For each pack with a fault what is wrong with it. */
  packFaults: { pack: string; fault: string }[];
  damagedChunks: number;
  /** Every version of every item that needs a damaged chunk of which no other copy is whole. */
  damagedItems: DamagedItem[];
  /** Journals that are not there whole, or cannot be read. The catalog still knows what they said; a rebuild of it would not. */
  journalFaults: { run: string; fault: string }[];
  /** What was accepted as lost, and is no fault: commits, packs, and item versions that are not current any more. */
  accepted: { commits: number; packs: number; itemVersions: number };
  /** How what is in use is locked against deletion; `null` where the store locks nothing. */
  locks: LockReview | null;
  /** Why the catalog does not go with the store: then nothing is marked, as what is missing may be in the repository's other copy. */
  mismatch: string | null;
  /** Packs without references: left by a crash, and deleted by the next prune. */
  unreferencedPacks: number;
  strangers: Strangers;
}

export interface VerifyOptions {
  /**
   * `quick`: every pack is there with its size, and one in `SAMPLE_EVERY` is read whole. `full`: every byte is read.
   */
  depth: 'quick' | 'full';
  /** For a copy that may only be read: writes nothing there, neither a lock nor marks of what is damaged. */
  noLock?: boolean;
  signal?: AbortSignal;
  now?: () => Date;
  onProgress?: (progress: { packsDone: number; packs: number; bytesRead: number }) => void;
  /** Called with the name of each file in the folders of the repository that is not the repository's. */
  onStranger?: (name: string) => void;
  /** Called when it waits for a prune, with what it waits for. */
  onWait?: (message: string) => void;
}

const SAMPLE_EVERY = 50;
/** While a prune works. */
const LOCK_WAIT_MS = 60 * 60_000;

/**
 * Compares the repository with the catalog, and names every item that is touched by what is wrong. What cannot be read is marked, so that
 * nothing new counts on it and the next backup reads it again; what has come back is so no longer.
 */
export async function verify(of: Repository, by: RepositoryCatalog, options: VerifyOptions): Promise<VerifyResult> {
  const [repository, catalog] = [stoppableRepository(of, options.signal), stoppableCatalog(by, options.signal)];
  if (options.noLock === true) return verifyCopy(repository, catalog, options);
  // A prune that deletes meanwhile would make packs look lost: a run excludes it. It has a journal only if there is something to say.
  const header = { kind: 'verify', job: 'verify', jobName: 'Verify', organizationId: '' } as const;
  const { signal } = options;
  const wait = { forMs: LOCK_WAIT_MS, ...(signal && { signal }), ...(options.onWait && { onWait: options.onWait }) };
  const run = await repository.startRun(header, catalog, { wait });
  try {
    const { behind } = await catchUpToRead(repository, catalog);
    const { result, damage } = await check(repository, catalog, options);
    if (behind !== null) return { ...result, ...NOTHING_MARKED, mismatch: behind.message };
    const now = options.now ?? (() => new Date());
    return { ...result, ...(await markDamage({ repository, catalog, run, now }, damage, result.damagedItems)) };
  } finally {
    await run.abandon();
  }
}

const NOTHING_MARKED: Marked = { itemsToRead: 0, objectsInWork: [] };

/** A copy that may only be read is not pruned, and what is damaged in it says nothing of the repository. */
async function verifyCopy(
  repository: Repository,
  catalog: RepositoryCatalog,
  options: VerifyOptions,
): Promise<VerifyResult> {
  const { behind } = await catchUpToRead(repository, catalog);
  const { result } = await check(repository, catalog, options);
  return { ...result, ...NOTHING_MARKED, mismatch: behind?.message ?? null };
}

type Found = Omit<VerifyResult, keyof Marked>;

async function check(
  repository: Repository,
  catalog: RepositoryCatalog,
  options: VerifyOptions,
): Promise<{ result: Found; damage: PackDamage[] }> {
  const accepted = await repository.acceptedLosses();
  const strangers = new StrangerCount(options.onStranger);
  const stored = await storedPacks(repository, strangers);
  await strangers.addOf(repository);
  const result: Found = {
    packs: stored.size,
    packsRead: 0,
    bytesRead: 0,
    packFaults: [],
    damagedChunks: 0,
    damagedItems: [],
    mismatch: null,
    locks: await reviewLocks(repository, catalog, { extend: false, ...(options.signal && { signal: options.signal }) }),
    unreferencedPacks: 0,
    strangers: strangers.found,
    journalFaults: await checkJournals(repository, catalog, accepted, options),
    accepted: { commits: accepted.commits, packs: 0, itemVersions: 0 },
  };
  const known = await catalog.damagedChunks();
  const checked = new Map<string, readonly string[]>();
  const damaged = await checkPacks(repository, catalog, stored, options, result, known, checked);
  const unrecoverableChunks = await withoutOtherCopy(repository, catalog, damaged);
  result.damagedChunks = unrecoverableChunks.length;
  result.damagedItems = await versionsUsing(repository, catalog, unrecoverableChunks);
  if (!accepted.isEmpty) {
    const lacking = await versionsLackingChunks(repository, catalog);
    const ofLacking = lacking.flatMap(({ chunks }) => chunks).filter((chunk) => accepted.hasChunk('', chunk));
    const lost = new Set([...(await acceptedChunks(catalog, accepted, unrecoverableChunks)), ...ofLacking]);
    result.damagedItems.push(...lacking);
    leaveAccepted(result, lost, ({ pack }) => {
      const chunks = checked.get(pack) ?? [];
      return chunks.length > 0 && chunks.every((chunk) => accepted.hasChunk(pack, chunk));
    });
  }
  result.unreferencedPacks = stored.size;
  return { result, damage: changedDamage(known, checked) };
}

/** Of chunks that cannot be read those whose loss was accepted: in every pack that has them. */
async function acceptedChunks(
  catalog: RepositoryCatalog,
  accepted: AcceptedLosses,
  chunks: readonly string[],
): Promise<string[]> {
  const lost: string[] = [];
  for (let at = 0; at < chunks.length; at += 5_000) {
    const some = chunks.slice(at, at + 5_000);
    const places = await catalog.locate(some);
    lost.push(
      ...some.filter((chunk) => places.get(chunk)?.every(({ pack }) => accepted.hasChunk(pack, chunk)) ?? false),
    );
  }
  return lost;
}

/**
 * Takes out what was accepted as lost: faults of packs in which nothing else cannot be read, and versions that are not current any more and need
 * a chunk whose loss was accepted: they were not whole then. Current items stay named until a backup has read them again.
 */
function leaveAccepted(
  result: Found,
  chunks: ReadonlySet<string>,
  isAccepted: (fault: VerifyResult['packFaults'][number]) => boolean,
): void {
  const { packFaults, damagedItems } = result;
  result.packFaults = packFaults.filter((fault) => !isAccepted(fault));
  result.damagedItems = damagedItems.filter(
    ({ version, chunks: lost }) => version.lastRevision === null || !lost.some((chunk) => chunks.has(chunk)),
  );
  result.accepted.packs = packFaults.length - result.packFaults.length;
  result.accepted.itemVersions = damagedItems.length - result.damagedItems.length;
}

/** Of the packs that were read those whose state is another than the one that is known. */
function changedDamage(
  known: ReadonlyMap<string, readonly string[]>,
  checked: ReadonlyMap<string, readonly string[]>,
): PackDamage[] {
  const changed: PackDamage[] = [];
  for (const [pack, chunks] of checked)
    if (new Set(known.get(pack)).symmetricDifference(new Set(chunks)).size > 0) changed.push({ pack, chunks });
  return changed;
}

async function checkJournals(
  repository: Repository,
  catalog: RepositoryCatalog,
  accepted: AcceptedLosses,
  { depth, signal }: VerifyOptions,
) {
  const lost = await lostJournals(repository, catalog, accepted);
  const faults: VerifyResult['journalFaults'] = lost.map(({ run, fault }) => ({ run, fault }));
  if (depth !== 'full') return faults;
  const onDamaged = ({ name, first }: ListedSegment) => {
    if (accepted.hasSegment(name)) return;
    faults.push({ run: first, fault: `the segment ${name}, which has this run and later ones, was changed or cut` });
  };
  for await (const listed of allRuns(repository, { isReading: true, onDamaged })) {
    const { run } = listed;
    for (const sequence of await sequencesOf(repository, listed)) {
      signal?.throwIfAborted();
      if (accepted.hasCommits(run, sequence, sequence)) continue;
      const commit = await findReadable(repository, run, sequence);
      if (commit === 'damaged')
        faults.push({ run, fault: `commit ${sequence} was changed or cut after it was written` });
      else if (commit !== null && endsRun(commit)) break;
    }
  }
  return faults;
}

/** `null` for one that is missing, and named already. */
async function findReadable(repository: Repository, run: string, sequence: number): Promise<Commit | 'damaged' | null> {
  try {
    return await repository.findCommit(run, sequence);
  } catch (error) {
    if (error instanceof EngineError && error.code === 'damaged') return 'damaged';
    throw error;
  }
}

async function storedPacks(repository: Repository, strangers: StrangerCount): Promise<Map<string, number>> {
  const packs = new Map<string, number>();
  for await (const { name, sizeBytes } of repository.listPacks(strangers.add)) packs.set(name, sizeBytes);
  return packs;
}

/** Takes every pack of the catalog out of `stored`. @returns damaged chunks with the packs they were found in */
async function checkPacks(
  repository: Repository,
  catalog: RepositoryCatalog,
  stored: Map<string, number>,
  { depth, signal, onProgress }: VerifyOptions,
  result: Found,
  known: ReadonlyMap<string, readonly string[]>,
  checked: Map<string, readonly string[]>,
): Promise<Map<string, Set<string>>> {
  const damaged = new Map<string, Set<string>>();
  // Not the same packs every time.
  const sample = randomInt(Math.min(SAMPLE_EVERY, Math.max(1, stored.size)));
  let packsDone = 0;
  for await (const pack of catalog.listPacks()) {
    signal?.throwIfAborted();
    const sizeBytes = stored.get(pack.name);
    stored.delete(pack.name);
    const isSuspect = sizeBytes !== pack.sizeBytes || known.has(pack.name);
    if (isSuspect || depth === 'full' || packsDone % SAMPLE_EVERY === sample) {
      const chunks = await checkOne(repository, pack, result, damaged);
      if (chunks.length > 0 || known.has(pack.name)) checked.set(pack.name, chunks);
    }
    packsDone += 1;
    onProgress?.({ packsDone, packs: result.packs, bytesRead: result.bytesRead });
  }
  return damaged;
}

async function checkOne(
  repository: Repository,
  pack: StoredPack,
  result: Found,
  damaged: Map<string, Set<string>>,
): Promise<readonly string[]> {
  const { damagedChunks, fault } = await repository.checkPack(pack);
  result.packsRead += 1;
  result.bytesRead += pack.sizeBytes;
  if (fault !== null) result.packFaults.push({ pack: pack.name, fault });
  for (const chunk of damagedChunks) damaged.set(chunk, (damaged.get(chunk) ?? new Set()).add(pack.name));
  return damagedChunks;
}

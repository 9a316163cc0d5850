import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';
import { earlierOf } from '../model/expiry.ts';
import { NO_COUNTS } from '../model/outcome.ts';
import { catchUp } from '../rebuild/catch-up.ts';
import { catchUpInOrder, requireOrder } from '../rebuild/catch-up-in-order.ts';
import { closeOtherRuns } from '../rebuild/close-dead-runs.ts';
import { stoppableCatalog, stoppableRepository } from '../rebuild/stoppable-parts.ts';
import type { RunEnd } from '../repository/commit.ts';
import type { CommitContent, LockWait, Repository, RepositoryLock, Run } from '../repository/repository.ts';
import { markMissingPacks, missingPacks } from '../verify/missing-packs.ts';
import { copyOut, packsToRetire, type RetiredPack } from './copy-out.ts';
import { finishErasures } from './finish-erasures.ts';
import { askedExpiry, askedInstant, refuseWrongClock, storeTime } from './prune-instant.ts';
import {
  type PruneOptions,
  type PruneParts,
  type PrunePlan,
  type PruneResult,
  planPrune,
  type RunResult,
} from './prune-plan.ts';
import { isFull, pruneWithoutRoom } from './prune-without-room.ts';
import { shortenJournals } from './shorten-journals.ts';
import { deletePacks, listedPacks, unreferencedPacks } from './unreferenced-packs.ts';

/**
 * Takes away what retention no longer asks for (format, 9). Beside backups it copies what is still needed out of packs that hold little
 * else. What goes is decided and written under an exclusive lock: a backup that counts on a chunk holds a lock until its commit says so. It
 * waits for that lock, and runs that begin meanwhile wait for it. Cut short anywhere, it loses nothing, and the next one goes on.
 *
 * On a store without a free byte it frees the repository's reserve, deletes what needs no copy, and copies in the room that this made.
 *
 * @throws `wrong-clock` where the clock of this machine or of the store may be wrong; `bad-request` for an instant that is still to come: it would
 *   hold for every backup until then, and none would keep what the one before it had; `locked` when a backup works longer than it waits; copies
 *   are made by then, and the next prune builds on them; `store-full` where nothing could be deleted
 */
export async function prune(of: Repository, by: RepositoryCatalog, options: PruneOptions): Promise<PruneResult> {
  const [repository, catalog] = [stoppableRepository(of, options.signal), stoppableCatalog(by, options.signal)];
  if (options.dryRun === true) return pruneOnce(repository, catalog, options);
  const result = await withReserve(repository, options, () => pruneOnceOrMore(repository, catalog, options));
  // Last: it reads all journals, and writes some again. A prune has to free a store that is full.
  const erasureLeft = await finishErasures(repository, catalog, options);
  await shorten(repository, catalog, options);
  return { ...result, erasureLeft };
}

async function pruneOnceOrMore(
  repository: Repository,
  catalog: RepositoryCatalog,
  options: PruneOptions,
): Promise<PruneResult> {
  try {
    return await pruneOnce(repository, catalog, options);
  } catch (error) {
    if (!isFull(error)) throw error;
    return await pruneWithoutRoom(repository, (how) => pruneOnce(repository, catalog, options, how));
  }
}

async function withReserve<Result>(
  repository: Repository,
  { signal }: PruneOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } finally {
    // The next prune makes it again where this one was stopped.
    if (signal?.aborted !== true) await repository.ensureReserve();
  }
}

async function pruneOnce(
  repository: Repository,
  catalog: RepositoryCatalog,
  options: PruneOptions,
  { isCopying = true } = {},
): Promise<PruneResult> {
  const { now = () => new Date() } = options;
  const present = options.dryRun === true ? now() : await storeTime(repository, waitOf(options));
  if (options.before !== undefined) await askedInstant(catalog, options, present);
  // Before any lock, as it takes long.
  if (options.dryRun === true) await catchUp(repository, catalog, signalOf(options));
  else await catchUpInOrder(repository, catalog, waitOf(options));
  if (options.dryRun !== true) await refuseWrongClock(catalog, repository, present);
  // What is in a pack as well that is not there would look as if it were stored twice.
  if (options.dryRun !== true)
    await markMissingPacks(repository, catalog, await missingPacks(repository, catalog), waitOf(options));
  const expiry = await askedExpiry(catalog, options, present);
  const parts: PruneParts = { repository, catalog, options, expiry };
  const instants = { before: expiry.before, jobs: expiry.jobs };
  options.onProgress?.({ step: 'planning', done: 0, total: 1 });
  const plan = await planPrune(parts);
  const { versions, restorePoints, candidates } = plan;
  if (options.dryRun === true) return { ...instants, ...planned(plan) };
  const isDue = isCopying && candidates.size > 0;
  const bytesCopied = isDue ? await inRun(parts, (run) => copyOut(parts, run, plan)) : 0;
  return {
    ...instants,
    versions,
    restorePoints,
    bytesCopied,
    erasureLeft: null,
    ...(await takeAway(parts, plan, bytesCopied)),
  };
}

function planned(plan: PrunePlan): Omit<PruneResult, 'before' | 'jobs'> {
  const { versions, restorePoints, candidates, candidateBytes, neededBytes } = plan;
  return {
    versions,
    restorePoints,
    packsRetired: candidates.size,
    bytesFreed: candidateBytes - neededBytes,
    bytesCopied: neededBytes,
    packsDeleted: 0,
    packsRetained: 0,
    retainedUntil: null,
    erasureLeft: null,
  };
}

/**
 * What goes is decided and written under the exclusive lock, and deleted after it: a run that begins then knows from the journals what it cannot
 * count on.
 */
async function takeAway(parts: PruneParts, plan: PrunePlan, bytesCopied: number) {
  const { repository, catalog, options } = parts;
  // Before the lock, which keeps everybody waiting: what is stored later is not among them.
  const listed = await listedPacks(repository);
  const lock = await repository.lock('exclusive', waitOf(options));
  let retired: RetiredPack[] = [];
  let unreferenced: Awaited<ReturnType<typeof unreferencedPacks>>;
  try {
    await catchUp(repository, catalog);
    const isDue = plan.versions + plan.restorePoints + plan.candidates.size + (await catalog.openRuns()).size > 0;
    if (isDue) retired = await inRun(parts, (run) => retire(parts, run, plan), lock);
    lock.check();
    unreferenced = await unreferencedPacks(catalog, listed, lock.storeTime);
  } finally {
    await lock.release();
  }
  const { bytesDeleted, ...deleted } = await deletePacks(parts, unreferenced);
  return { packsRetired: retired.length, ...deleted, bytesFreed: bytesDeleted - bytesCopied };
}

/** Under a lock of its own, beside backups. Where another prune waits for its turn, or there is no room for a lock, the next one does it. */
async function shorten(
  repository: Repository,
  catalog: RepositoryCatalog,
  { signal, runsASegment }: PruneOptions,
): Promise<void> {
  const lock = await repository.lock('shared').catch((error: unknown) => {
    if (isFull(error) || (error instanceof EngineError && error.code === 'locked')) return null;
    throw error;
  });
  if (lock === null) return;
  try {
    await catchUp(repository, catalog);
    const options = { ...(signal && { signal }), ...(runsASegment && { runsASegment }) };
    await shortenJournals(repository, catalog, lock, options);
  } catch (error) {
    // Copies come before what they replace; the next prune may have the room.
    if (!isFull(error)) throw error;
  } finally {
    await lock.release();
  }
}

/** Long enough for runs that back up a few changes; those that read for hours are waited for another day. */
const WAIT_MS = 10 * 60_000;

const signalOf = ({ signal }: PruneOptions) => (signal === undefined ? {} : { signal });

function waitOf({ waitMs = WAIT_MS, signal, onWait }: PruneOptions): LockWait {
  return { forMs: waitMs, ...(signal === undefined ? {} : { signal }), ...(onWait === undefined ? {} : { onWait }) };
}

async function inRun<Result>(
  { repository, catalog, options }: PruneParts,
  work: (run: Run) => Promise<RunResult<Result>>,
  lock?: RepositoryLock,
): Promise<Result> {
  const now = options.now ?? (() => new Date());
  const header = { kind: 'prune', job: 'prune', jobName: 'Prune', organizationId: '' } as const;
  const run = await repository.startRun(header, catalog, lock === undefined ? { wait: waitOf(options) } : { lock });
  try {
    // An erasure may have been decided since, with another catalog: what it erased is not copied.
    if (lock === undefined) await catchUp(repository, catalog);
    await catalog.apply(await run.commit({ follows: await catalog.unfollowed() }));
    const { result, last } = await work(run);
    const findings = { failures: [], lost: [], skipped: [], alerts: [] };
    const end = (): RunEnd => {
      const counts = { ...NO_COUNTS, bytesStored: run.bytesStored };
      return { outcome: 'Success', finishedAt: now(), counts, objects: [], findings };
    };
    await catalog.apply(await run.end({ ...last, end }));
    return result;
  } finally {
    await run.abandon();
  }
}

/** Decides what is deleted while no other run writes, whatever was planned before: a backup may have come to need it meanwhile. */
async function retire(parts: PruneParts, run: Run, planned: PrunePlan): Promise<RunResult<RetiredPack[]>> {
  // Once more, after the own first commit: a folder on the net shows late what others wrote into it, until one writes into it oneself.
  await catchUp(parts.repository, parts.catalog);
  await requireOrder(parts.catalog);
  await closeOtherRuns(parts.repository, parts.catalog, run.id);
  // A run may have ended since it was planned whose restore point shows what was to go.
  const start = await parts.catalog.startOfRetained(parts.expiry);
  const plan = { ...planned, expiry: earlierOf(planned.expiry, start) };
  const result = await packsToRetire(parts, plan);
  const names = result.map(({ name }) => name);
  let expired: Pick<CommitContent, 'expiredBefore' | 'expiredJobs'> = {
    expiredBefore: plan.expiry.before,
    expiredJobs: plan.expiry.jobs,
  };
  while (names.length > RETIRED_A_COMMIT) {
    const retiredPacks = names.splice(0, RETIRED_A_COMMIT);
    await parts.catalog.apply(await run.commit({ retiredPacks, ...expired }));
    expired = {};
  }
  return { result, last: { retiredPacks: names, ...expired } };
}

/** So that a commit stays small, however much a prune deletes; the first says what expired, and without that the packs would be needed. */
const RETIRED_A_COMMIT = 50_000;

import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';
import { NO_COUNTS } from '../model/outcome.ts';
import { catchUp } from '../rebuild/catch-up.ts';
import { closeOtherRuns } from '../rebuild/close-dead-runs.ts';
import type { RunEnd } from '../repository/commit.ts';
import type { Repository, RepositoryLock, Run } from '../repository/repository.ts';
import { RetainedError } from '../store/retained-error.ts';
import { copyOut, packsToRetire, type RetiredPack } from './copy-out.ts';
import { type PruneOptions, type PruneParts, type PrunePlan, planPrune, type RunResult } from './prune-plan.ts';

export interface PruneResult {
  versions: number;
  restorePoints: number;
  packsRetired: number;
  packsDeleted: number;
  /** Packs that the store lets nobody delete yet, and when it will: a prune after that deletes them. */
  packsRetained: number;
  retainedUntil: Date | null;
  /** Bytes that leave the store, less those of what is copied. */
  bytesFreed: number;
  bytesCopied: number;
}

/**
 * Takes away what retention no longer asks for (format, 9). Beside backups it copies what is still needed out of packs that hold little
 * else. What goes is decided, written and deleted under an exclusive lock: a backup that counts on a chunk holds a lock until its
 * commit says so. Cut short anywhere, it loses nothing, and the next one goes on.
 *
 * @throws `bad-request` for an instant that is still to come: it would hold for every backup until then, and none would keep what the one
 *   before it had; `locked` when a backup runs by the time packs are to go; copies are made by then, and the next prune builds on them
 */
export async function prune(
  repository: Repository,
  catalog: RepositoryCatalog,
  options: PruneOptions,
): Promise<PruneResult> {
  const parts: PruneParts = { repository, catalog, options };
  refuseFuture(options);
  await catchUp(repository, catalog);
  options.onProgress?.({ step: 'planning', done: 0, total: 1 });
  const plan = await planPrune(parts);
  const { versions, restorePoints, candidates, neededBytes } = plan;
  const freed = plan.candidateBytes - neededBytes;
  const planned = {
    versions,
    restorePoints,
    packsRetired: candidates.size,
    bytesFreed: freed,
    bytesCopied: neededBytes,
  };
  if (options.dryRun === true) return { ...planned, ...NOTHING_DELETED };
  const bytesCopied = candidates.size === 0 ? 0 : await inRun(parts, (run) => copyOut(parts, run, plan));
  return { versions, restorePoints, bytesCopied, ...(await takeAway(parts, plan, bytesCopied)) };
}

function refuseFuture({ before, now = () => new Date() }: PruneOptions): void {
  if (before <= now()) return;
  throw new EngineError(
    'bad-request',
    `${before.toISOString()} is still to come. What is taken away before it stays so until then: no backup could keep what the one before it had. Name an instant that has passed.`,
  );
}

async function takeAway(parts: PruneParts, plan: PrunePlan, bytesCopied: number) {
  const { repository, catalog } = parts;
  const lock = await repository.lock('exclusive');
  try {
    await catchUp(repository, catalog);
    const isDue = plan.versions + plan.restorePoints + plan.candidates.size + (await catalog.openRuns()).size > 0;
    const retired = isDue ? await inRun(parts, (run) => retire(parts, run, plan), lock) : [];
    const { bytesDeleted, ...deleted } = await deleteUnreferenced(parts, lock);
    return { packsRetired: retired.length, ...deleted, bytesFreed: bytesDeleted - bytesCopied };
  } finally {
    await lock.release();
  }
}

async function inRun<Result>(
  { repository, catalog, options }: PruneParts,
  work: (run: Run) => Promise<RunResult<Result>>,
  lock?: RepositoryLock,
): Promise<Result> {
  const now = options.now ?? (() => new Date());
  const header = { kind: 'prune', job: 'prune', jobName: 'Prune', organizationId: '' } as const;
  const run = await repository.startRun(header, catalog, lock);
  try {
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

/** Decides what goes while nobody else writes, whatever was planned before: a backup may have come to need it meanwhile. */
async function retire(parts: PruneParts, run: Run, plan: PrunePlan): Promise<RunResult<RetiredPack[]>> {
  await closeOtherRuns(parts.repository, parts.catalog, run.id);
  const result = await packsToRetire(parts, plan);
  const names = result.map(({ name }) => name);
  let expiredBefore: Date | null = plan.before;
  while (names.length > RETIRED_A_COMMIT) {
    const retiredPacks = names.splice(0, RETIRED_A_COMMIT);
    await parts.catalog.apply(await run.commit({ retiredPacks, expiredBefore }));
    expiredBefore = null;
  }
  return { result, last: { retiredPacks: names, expiredBefore } };
}

/** So that a commit stays small, however much a prune takes away; the first says what expired, without which nobody could do without the packs. */
const RETIRED_A_COMMIT = 50_000;

const NOTHING_DELETED = { packsDeleted: 0, packsRetained: 0, retainedUntil: null };

/**
 * Deletes packs that no journal speaks of (any more). Nobody else may write meanwhile: a pack is stored before its commit. One that is locked
 * against deletion stays, as it would if the prune had been cut short before it: no journal speaks of it, so the next prune comes by it again.
 */
async function deleteUnreferenced(
  { repository, catalog, options: { signal, onProgress } }: PruneParts,
  lock: RepositoryLock,
): Promise<Pick<PruneResult, 'packsDeleted' | 'packsRetained' | 'retainedUntil'> & { bytesDeleted: number }> {
  const unreferenced = new Map<string, number>();
  for await (const { name, sizeBytes } of repository.listPacks()) unreferenced.set(name, sizeBytes);
  for await (const { name } of catalog.listPacks()) unreferenced.delete(name);
  const found: { packsDeleted: number; packsRetained: number; retainedUntil: Date | null } = { ...NOTHING_DELETED };
  let bytesDeleted = 0;
  for (const [name, sizeBytes] of unreferenced) {
    signal?.throwIfAborted();
    lock.check();
    const until = await retainedUntil(repository.deletePack(name));
    if (until === null) {
      found.packsDeleted += 1;
      bytesDeleted += sizeBytes;
    } else {
      found.packsRetained += 1;
      if (found.retainedUntil === null || until > found.retainedUntil) found.retainedUntil = until;
    }
    onProgress?.({ step: 'deleting', done: found.packsDeleted + found.packsRetained, total: unreferenced.size });
  }
  return { ...found, bytesDeleted };
}

/** Until when it is locked; `null` for what is deleted. */
async function retainedUntil(deleting: Promise<void>): Promise<Date | null> {
  try {
    await deleting;
    return null;
  } catch (error) {
    if (error instanceof RetainedError) return error.until;
    throw error;
  }
}

import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { NO_COUNTS } from '../model/outcome.ts';
import { catchUp } from '../rebuild/catch-up.ts';
import { closeOtherRuns } from '../rebuild/close-dead-runs.ts';
import type { RunEnd } from '../repository/commit.ts';
import type { Repository, RepositoryLock, Run } from '../repository/repository.ts';
import { copyOut, packsToRetire, type RetiredPack } from './copy-out.ts';
import { type PruneOptions, type PruneParts, type PrunePlan, planPrune, type RunResult } from './prune-plan.ts';

export interface PruneResult {
  versions: number;
  restorePoints: number;
  packsRetired: number;
  packsDeleted: number;
  /** Bytes that leave the store, less those of what is copied. */
  bytesFreed: number;
  bytesCopied: number;
}

/**
 * Takes away what retention no longer asks for (format, 9). Beside backups it copies what is still needed out of packs that hold little
 * else. What goes is decided, written and deleted under an exclusive lock: a backup that counts on a chunk holds a lock until its
 * commit says so. Cut short anywhere, it loses nothing, and the next one goes on.
 *
 * @throws `locked` when a backup runs by the time packs are to go; copies are made by then, and the next prune builds on them
 */
export async function prune(
  repository: Repository,
  catalog: RepositoryCatalog,
  options: PruneOptions,
): Promise<PruneResult> {
  const parts: PruneParts = { repository, catalog, options };
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
  if (options.dryRun === true) return { ...planned, packsDeleted: 0 };
  const bytesCopied = candidates.size === 0 ? 0 : await inRun(parts, (run) => copyOut(parts, run, plan));
  return { versions, restorePoints, bytesCopied, ...(await takeAway(parts, plan, bytesCopied)) };
}

async function takeAway(parts: PruneParts, plan: PrunePlan, bytesCopied: number) {
  const { repository, catalog } = parts;
  const lock = await repository.lock('exclusive');
  try {
    await catchUp(repository, catalog);
    const isDue = plan.versions + plan.restorePoints + plan.candidates.size + (await catalog.openRuns()).size > 0;
    const retired = isDue ? await inRun(parts, (run) => retire(parts, run, plan), lock) : [];
    const packsDeleted = await deleteUnreferenced(parts, lock);
    const bytesFreed = retired.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) - bytesCopied;
    return { packsRetired: retired.length, packsDeleted, bytesFreed };
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

/** Deletes packs that no journal speaks of (any more). Nobody else may write meanwhile: a pack is stored before its commit. */
async function deleteUnreferenced(
  { repository, catalog, options: { signal, onProgress } }: PruneParts,
  lock: RepositoryLock,
): Promise<number> {
  const unreferenced = new Set<string>();
  for await (const { name } of repository.listPacks()) unreferenced.add(name);
  for await (const { name } of catalog.listPacks()) unreferenced.delete(name);
  let done = 0;
  for (const name of unreferenced) {
    signal?.throwIfAborted();
    lock.check();
    await repository.deletePack(name);
    done += 1;
    onProgress?.({ step: 'deleting', done, total: unreferenced.size });
  }
  return done;
}

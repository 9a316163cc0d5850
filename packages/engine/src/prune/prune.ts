import { holdLease } from '../backup/lease.ts';
import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { NO_COUNTS } from '../model/outcome.ts';
import { catchUp } from '../rebuild/catch-up.ts';
import { closeDeadRuns, LEASE_MS, runLease } from '../rebuild/close-dead-runs.ts';
import type { RunEnd } from '../repository/commit.ts';
import type { Repository, Run } from '../repository/repository.ts';
import { type PrunePlan, planPrune } from './prune-plan.ts';

export interface PruneOptions {
  /** Versions that stopped being current before this instant go; what is current stays whatever its age. */
  before: Date;
  /** Says what would be done, and does nothing. */
  dryRun?: boolean;
  now?: () => Date;
  signal?: AbortSignal;
  onProgress?: (progress: { step: 'planning' | 'copying' | 'deleting'; done: number; total: number }) => void;
}

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
 * Takes away what retention no longer asks for (format, 9). First the journal says so, with what is still needed copied out of packs
 * that hold little else; only then are packs deleted. Cut short anywhere, it loses nothing, and the next one goes on.
 *
 * @throws `locked` when a backup runs while packs are to be deleted; all else is done by then, and the next prune deletes them
 */
export async function prune(
  repository: Repository,
  catalog: RepositoryCatalog,
  options: PruneOptions,
): Promise<PruneResult> {
  await catchUp(repository, catalog);
  options.onProgress?.({ step: 'planning', done: 0, total: 1 });
  const plan = await planPrune(catalog, options.before);
  const result: PruneResult = {
    versions: plan.versions,
    restorePoints: plan.restorePoints,
    packsRetired: plan.retired.length,
    packsDeleted: 0,
    bytesFreed: plan.retired.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) - plan.bytesToCopy,
    bytesCopied: plan.bytesToCopy,
  };
  if (options.dryRun === true) return result;
  if (plan.versions + plan.restorePoints + plan.retired.length > 0)
    await writeJournal(repository, catalog, plan, options);
  return { ...result, packsDeleted: await deleteUnreferenced(repository, catalog, options) };
}

async function writeJournal(
  repository: Repository,
  catalog: RepositoryCatalog,
  plan: PrunePlan,
  options: PruneOptions,
): Promise<void> {
  const now = options.now ?? (() => new Date());
  const run = await repository.startRun({ kind: 'prune', job: 'prune', jobName: 'Prune', organizationId: '' }, catalog);
  const lease = await holdLease(catalog, runLease(run.id), run.id, LEASE_MS);
  try {
    await copyOut(run, plan, options);
    const end: RunEnd = {
      outcome: 'Success',
      finishedAt: now(),
      counts: { ...NO_COUNTS, itemsRemoved: plan.versions, bytesStored: run.bytesStored },
      objects: [],
      findings: { failures: [], lost: [], skipped: [], alerts: [] },
    };
    const retiredPacks = plan.retired.map(({ name }) => name);
    await catalog.apply(await run.end({ retiredPacks, expiredBefore: options.before, end }));
  } finally {
    await lease.release();
    await run.abandon();
  }
}

const CHUNKS_AT_ONCE = 500;

async function copyOut(run: Run, { chunksToCopy }: PrunePlan, { signal, onProgress }: PruneOptions): Promise<void> {
  for (let at = 0; at < chunksToCopy.length; at += CHUNKS_AT_ONCE) {
    signal?.throwIfAborted();
    await run.copyChunks(chunksToCopy.slice(at, at + CHUNKS_AT_ONCE));
    onProgress?.({
      step: 'copying',
      done: Math.min(at + CHUNKS_AT_ONCE, chunksToCopy.length),
      total: chunksToCopy.length,
    });
  }
}

/** Deletes packs that no journal speaks of (any more). Nobody else may write meanwhile: a pack is stored before its commit. */
async function deleteUnreferenced(
  repository: Repository,
  catalog: RepositoryCatalog,
  { signal, onProgress }: PruneOptions,
): Promise<number> {
  const lock = await repository.lock('exclusive');
  try {
    await catchUp(repository, catalog);
    await closeDeadRuns(repository, catalog, 'prune');
    const unreferenced = new Set<string>();
    for await (const { name } of repository.listPacks()) unreferenced.add(name);
    for await (const { name } of catalog.listPacks()) unreferenced.delete(name);
    let done = 0;
    for (const name of unreferenced) {
      signal?.throwIfAborted();
      lock.lost.throwIfAborted();
      await repository.deletePack(name);
      done += 1;
      onProgress?.({ step: 'deleting', done, total: unreferenced.size });
    }
    return done;
  } finally {
    await lock.release();
  }
}

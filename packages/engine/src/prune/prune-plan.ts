import type { RepositoryCatalog } from '../catalog/catalog.ts';
import type { Expiry, JobExpiry } from '../model/expiry.ts';
import type { StoredContent } from '../model/items.ts';
import type { CommitContent, Repository } from '../repository/repository.ts';

export interface PruneOptions {
  /** Versions that stopped being current before this instant go; what is current, or in an object's newest restore point, stays whatever its age. */
  before?: Date;
  /** Instead: so many days before the newest restore point, and never after so many days before now by the store's clock. */
  keepDays?: number;
  /** The same of some jobs instead of what their runs say: by their ids, or as `<organization>/<id>` where several organizations have the id. */
  keepDaysOf?: ReadonlyMap<string, number>;
  /** Says what would be done, and does nothing. */
  dryRun?: boolean;
  now?: () => Date;
  /** How long it waits until the runs that work have ended; runs that begin meanwhile wait for it. */
  waitMs?: number;
  /** Called once, with a text that names the runs it waits for. */
  onWait?: (message: string) => void;
  signal?: AbortSignal;
  /** How many runs are made one segment of. Other than usual in tests alone. */
  runsASegment?: number;
  onProgress?: (progress: { step: 'planning' | 'copying' | 'deleting'; done: number; total: number }) => void;
}

export interface PruneResult {
  /** What ended before this instant is gone, as far as no restore point that stays needs it; `null`: only of the jobs below. */
  before: Date | null;
  /** The same of jobs with a retention of their own. */
  jobs: readonly JobExpiry[];
  versions: number;
  restorePoints: number;
  packsRetired: number;
  packsDeleted: number;
  /** Packs that cannot be deleted yet because the store locks them, and when they can be: a prune after that deletes them. */
  packsRetained: number;
  retainedUntil: Date | null;
  /** Bytes that leave the store, less those of what is copied. */
  bytesFreed: number;
  bytesCopied: number;
  /** Why an erasure that was cut short is still not whole, and what to do; `null`: none is. */
  erasureLeft: string | null;
}

/** What all steps work with. */
export interface PruneParts {
  repository: Repository;
  catalog: RepositoryCatalog;
  options: PruneOptions;
  /** Versions and restore points that ended before these instants are to go, as far as no restore point that stays needs them. */
  expiry: Expiry;
}

/** What a run of a prune comes to, and what its last commit says. */
export interface RunResult<Result> {
  result: Result;
  last: CommitContent;
}

/** A pack is emptied when less of it than this is still needed: below half, what is copied is less than what is freed. */
const KEEP_SHARE = 0.5;

export interface PrunePlan {
  /** Versions and restore points that end before these instants go. */
  expiry: Expiry;
  versions: number;
  restorePoints: number;
  /** Names of packs with so little left in them that they are to go. */
  candidates: Set<string>;
  candidateBytes: number;
  /** What is still needed out of them. */
  neededBytes: number;
}

/** What a prune has to do, without doing any of it. */
export async function planPrune({ repository, catalog, options, expiry: asked }: PruneParts): Promise<PrunePlan> {
  const expiry = await catalog.startOfRetained(asked);
  const { versions, restorePoints } = await catalog.expirable(expiry);
  const plan: PrunePlan = {
    expiry,
    versions,
    restorePoints,
    candidates: new Set(),
    candidateBytes: 0,
    neededBytes: 0,
  };
  const erased = await catalog.erasedPacks();
  for await (const { pack, usedBytes, usedChunks } of packUsage(repository, catalog, expiry)) {
    options.signal?.throwIfAborted();
    const hasErased = erased.has(pack.name) && usedChunks.length < pack.chunks.length;
    if (usedBytes >= pack.sizeBytes * KEEP_SHARE && !hasErased) continue;
    plan.candidates.add(pack.name);
    plan.candidateBytes += pack.sizeBytes;
    plan.neededBytes += usedBytes;
  }
  return plan;
}

/** How much of each pack is used; a long content says in the repository which chunks it needs. */
export function packUsage(repository: Repository, catalog: RepositoryCatalog, expiry: Expiry) {
  return catalog.packUsage(expiry, (content: StoredContent) => repository.segmentsOf(content, catalog));
}

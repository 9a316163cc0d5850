import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { forEachAtOnce } from '../model/for-each-at-once.ts';
import type { Repository } from '../repository/repository.ts';
import { RetainedError } from '../store/retained-error.ts';
import type { PruneOptions, PruneParts } from './prune-plan.ts';

type ListedPack = { name: string; sizeBytes: number; createdAt: Date };

export interface Deleted {
  packsDeleted: number;
  /** Packs that are locked against deletion, and until when: a prune after that deletes them. */
  packsRetained: number;
  retainedUntil: Date | null;
  bytesDeleted: number;
}

/** No commit comes so long after its packs. A list of journals that is late, as folders on the net give it, is never so late. */
const UNNAMED_HOURS = 24;
const HOUR_MS = 3_600_000;
const NAMES_A_QUESTION = 5_000;
const DELETED_AT_ONCE = 32;

/**
 * Packs that are needed no more: retired ones, and those that no journal names and that are older than a day by the store's clock. To be asked under
 * the exclusive lock, of a list that was made before it.
 */
export async function unreferencedPacks(
  catalog: RepositoryCatalog,
  listed: readonly ListedPack[],
  storeTime: Date,
): Promise<ListedPack[]> {
  const found: ListedPack[] = [];
  const since = new Date(storeTime.getTime() - UNNAMED_HOURS * HOUR_MS);
  for (let at = 0; at < listed.length; at += NAMES_A_QUESTION) {
    const page = listed.slice(at, at + NAMES_A_QUESTION);
    const known = await catalog.knownPacks(page.map(({ name }) => name));
    for (const pack of page) if (known.get(pack.name)?.isRetired ?? pack.createdAt < since) found.push(pack);
  }
  return found;
}

export async function listedPacks(repository: Repository): Promise<ListedPack[]> {
  const packs: ListedPack[] = [];
  for await (const pack of repository.listPacks()) packs.push(pack);
  return packs;
}

/**
 * Deletes packs that no journal speaks of any more, beside whatever others do. One that is locked against deletion stays, as it would if the
 * prune had been cut short before it: the next prune comes by it again.
 */
export async function deletePacks({ repository, options }: PruneParts, packs: readonly ListedPack[]): Promise<Deleted> {
  const deleted: Deleted = { packsDeleted: 0, packsRetained: 0, retainedUntil: null, bytesDeleted: 0 };
  await forEachAtOnce(packs, DELETED_AT_ONCE, async (pack) => {
    options.signal?.throwIfAborted();
    count(deleted, pack, await retainedUntil(repository.deletePack(pack.name)));
    reportProgress(options, deleted, packs.length);
  });
  options.signal?.throwIfAborted();
  return deleted;
}

function count(deleted: Deleted, { sizeBytes }: ListedPack, until: Date | null): void {
  if (until === null) {
    deleted.packsDeleted += 1;
    deleted.bytesDeleted += sizeBytes;
    return;
  }
  deleted.packsRetained += 1;
  if (deleted.retainedUntil === null || until > deleted.retainedUntil) deleted.retainedUntil = until;
}

function reportProgress({ onProgress }: PruneOptions, { packsDeleted, packsRetained }: Deleted, total: number): void {
  onProgress?.({ step: 'deleting', done: packsDeleted + packsRetained, total });
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

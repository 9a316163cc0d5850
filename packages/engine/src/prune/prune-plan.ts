import type { RepositoryCatalog } from '../catalog/catalog.ts';
import type { StoredPack } from '../repository/commit.ts';

/** A pack is emptied when less of it than this is still needed: below half, what is copied is less than what is freed. */
const KEEP_SHARE = 0.5;

export interface PrunePlan {
  versions: number;
  restorePoints: number;
  /** Packs that go. */
  retired: Pick<StoredPack, 'name' | 'sizeBytes'>[];
  /** Chunks in them that stay, and are copied before. */
  chunksToCopy: string[];
  bytesToCopy: number;
}

/** What a prune has to do, without doing any of it. */
export async function planPrune(catalog: RepositoryCatalog, before: Date): Promise<PrunePlan> {
  const { versions, restorePoints } = await catalog.expirable(before);
  const plan: PrunePlan = { versions, restorePoints, retired: [], chunksToCopy: [], bytesToCopy: 0 };
  const copied = new Set<string>();
  for await (const { pack, usedBytes, usedChunks } of catalog.packUsage(before)) {
    if (usedBytes >= pack.sizeBytes * KEEP_SHARE) continue;
    plan.retired.push({ name: pack.name, sizeBytes: pack.sizeBytes });
    plan.bytesToCopy += usedBytes;
    for (const chunk of usedChunks) copied.add(chunk);
  }
  plan.chunksToCopy = [...copied];
  return plan;
}

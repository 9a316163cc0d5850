import { EngineError } from '../model/engine-error.ts';
import type { Repository } from '../repository/repository.ts';
import type { PruneResult } from './prune-plan.ts';

export const isFull = (error: unknown) => error instanceof EngineError && error.code === 'store-full';

/**
 * Prunes a store that has no room: the reserve gives enough for locks and journals, packs of which nothing is needed go first, and what they leave
 * is the room for copies out of the others.
 * @throws `store-full` where nothing could be deleted
 */
export async function pruneWithoutRoom(
  repository: Repository,
  pruneOnce: (how: { isCopying: boolean }) => Promise<PruneResult>,
): Promise<PruneResult> {
  await repository.releaseReserve();
  const first = await pruneOnce({ isCopying: false });
  try {
    return sumOf(first, await pruneOnce({ isCopying: true }));
  } catch (error) {
    if (!isFull(error)) throw error;
    if (first.packsDeleted > 0) return first;
    throw new EngineError(
      'store-full',
      `There is no room in the ${repository.description} for copies of what is still needed, and nothing goes without them. Free some space there or keep less, and prune again.`,
      { cause: error },
    );
  }
}

function sumOf(first: PruneResult, second: PruneResult): PruneResult {
  return {
    ...second,
    before: first.before,
    versions: first.versions + second.versions,
    restorePoints: first.restorePoints + second.restorePoints,
    packsRetired: first.packsRetired + second.packsRetired,
    packsDeleted: first.packsDeleted + second.packsDeleted,
    bytesFreed: first.bytesFreed + second.bytesFreed,
    bytesCopied: first.bytesCopied + second.bytesCopied,
  };
}

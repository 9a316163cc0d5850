import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { finishErasure } from '../erase/finish-erasure.ts';
import { unreadText } from '../erase/unread-text.ts';
import { EngineError } from '../model/engine-error.ts';
import type { Repository } from '../repository/repository.ts';
import type { PruneOptions } from './prune-plan.ts';

/**
 * Goes on with erasures that were cut short, and deletes forms of commits that could not be deleted then.
 * @returns why something of them is left; `null`: nothing is. What a prune was to delete is deleted by then, so it is no failure of the prune
 */
export async function finishErasures(
  repository: Repository,
  catalog: RepositoryCatalog,
  { onProgress: _, ...options }: PruneOptions,
): Promise<string | null> {
  try {
    if (await catalog.isErasureUnfinished()) return unreadText(await finishErasure(repository, catalog, options));
    await repository.deleteReplacedCommits(options.signal);
    return null;
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!(error instanceof EngineError)) throw error;
    return `What was erased is still in journals: ${error.message} The next prune goes on with it.`;
  }
}

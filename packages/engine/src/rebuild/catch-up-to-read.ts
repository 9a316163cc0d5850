import type { DoubledRevision, RepositoryCatalog } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';
import type { Repository } from '../repository/repository.ts';
import { type CatchUpOptions, catchUp } from './catch-up.ts';

export interface ReadableCatalog {
  /** Revisions that two runs had brought, as they were met. */
  doubled: readonly DoubledRevision[];
  /** Why the catalog could not be brought up to all that is in the repository. What it knows can be read all the same. */
  behind: EngineError | null;
}

/**
 * Brings the catalog up to date for operations that only read, such as a restore: to be called before a restore point is chosen. A prune that
 * was made with another catalog has moved what this one looks for in packs that are gone. Writes nothing into the store, so that a read-only
 * store can be restored from; and where journals are lost it continues with what the catalog knows, as that may be all that is left.
 *
 * It lists the journals that are in no segment (format, 6), a second or more: not for what a person waits for many times a day.
 */
export async function catchUpToRead(
  repository: Repository,
  catalog: RepositoryCatalog,
  options: CatchUpOptions = {},
): Promise<ReadableCatalog> {
  try {
    const { doubled } = await catchUp(repository, catalog, options);
    return { doubled, behind: (await catalog.isOutOfOrder()) ? outOfOrder() : null };
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'damaged') throw error;
    return { doubled: [], behind: error };
  }
}

/** The next backup makes it again, too; who restores does not wait for that. */
function outOfOrder(): EngineError {
  return new EngineError(
    'damaged',
    'A run was heard of only after a later one that had backed up the same, so that items may be shown as they were before. Rebuild the catalog; the next backup does, too.',
  );
}

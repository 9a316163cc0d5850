import { setTimeout } from 'node:timers/promises';
import type { DoubledRevision, RepositoryCatalog } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';
import type { Repository } from '../repository/repository.ts';
import { type CatchUpOptions, catchUp } from './catch-up.ts';
import { rebuild } from './rebuild.ts';

/** How long after another program was found to make the catalog again it is looked whether it is done. */
const LOOK_AGAIN_MS = 500;

/**
 * Brings the catalog up to date as `catchUp` does. Where it heard of a run too late, after a later one had brought the same revision of an object, it is
 * made again: each of the two read what had changed since the same state, so that they come to the right one only in their order. That needs a store
 * which left out both a journal and its claims when it was listed. Packs are the caller's to compare after it.
 *
 * @returns revisions that two runs had brought, as they were met
 */
export async function catchUpInOrder(
  repository: Repository,
  catalog: RepositoryCatalog,
  { onWait, ...options }: InOrderOptions = {},
): Promise<readonly DoubledRevision[]> {
  const { doubled } = await catchUp(repository, catalog, options);
  for (let isFirst = true; await catalog.isOutOfOrder(); ) {
    if (await isRebuilt(repository, catalog, options)) continue;
    if (isFirst) onWait?.('Another program is rebuilding this catalog.');
    isFirst = false;
    await setTimeout(LOOK_AGAIN_MS);
    options.signal?.throwIfAborted();
  }
  return doubled;
}

interface InOrderOptions extends Pick<CatchUpOptions, 'signal'> {
  /** Called once, when another program makes the catalog again. */
  onWait?: (message: string) => void;
}

/** Of the runs that begin at the same time one makes the catalog again, and the others wait for it. @returns `false` while another one does */
async function isRebuilt(
  repository: Repository,
  catalog: RepositoryCatalog,
  options: Pick<CatchUpOptions, 'signal'>,
): Promise<boolean> {
  try {
    await rebuild(repository, catalog, { ...options, leavesPacks: true });
    return true;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'locked') return false;
    throw withConsequence(error);
  }
}

/** Such a catalog was used until now: who reads that journals are damaged has to know why nothing goes on because of it. */
function withConsequence(error: unknown): unknown {
  if (!(error instanceof EngineError) || error.code !== 'damaged') return error;
  return new EngineError(
    'damaged',
    `${error.message} This catalog heard of a run too late, so that it has to be made again; until that succeeds, nothing is backed up or pruned with it.`,
    error.remedy === null ? {} : { remedy: error.remedy },
  );
}

/**
 * For who decides by the catalog what is deleted: what it takes for replaced may be the newest there is.
 * @throws `locked` where it heard of a run too late
 */
export async function requireOrder(catalog: RepositoryCatalog): Promise<void> {
  if (await catalog.isOutOfOrder())
    throw new EngineError(
      'locked',
      'A run was heard of only now, after a later one had backed up the same. Start again: then the catalog is made again first.',
      { isRetryable: true },
    );
}

import type { DoubledRevision, RepositoryCatalog } from '../catalog/catalog.ts';
import type { Repository } from '../repository/repository.ts';
import { type CatchUpOptions, catchUp } from './catch-up.ts';
import { rebuild } from './rebuild.ts';

/**
 * Brings the catalog up to date as `catchUp` does. Where it heard of a run too late, after a later one had brought the same revision of an object, it is
 * made again: each of the two read what had changed since the same state, so that they come to the right one only in their order. That needs a store
 * which left out both a journal and its claims when it was listed.
 *
 * @returns revisions that two runs had brought, as they were met
 */
export async function catchUpInOrder(
  repository: Repository,
  catalog: RepositoryCatalog,
  options: Pick<CatchUpOptions, 'signal'> = {},
): Promise<readonly DoubledRevision[]> {
  const { doubled } = await catchUp(repository, catalog, options);
  if (await catalog.isOutOfOrder()) await rebuild(repository, catalog, options);
  return doubled;
}

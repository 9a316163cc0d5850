import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { stoppable } from '../model/stoppable.ts';
import type { Repository } from '../repository/repository.ts';

const CATALOG_WRITES: ReadonlySet<string> = new Set<keyof RepositoryCatalog>([
  'apply',
  'applyMany',
  'addSegment',
  'dropSegments',
  'setGeneration',
  'setLocksReviewedAt',
  'setPacksCompared',
  'successor',
  'claimTarget',
  'index',
]);

/** A repository for work that may have a signal: see `Repository.until`. */
export const stoppableRepository = (repository: Repository, signal: AbortSignal | undefined): Repository =>
  signal === undefined ? repository : repository.until(signal);

/** A catalog whose reading ends with the signal. */
export const stoppableCatalog = (catalog: RepositoryCatalog, signal: AbortSignal | undefined): RepositoryCatalog =>
  stoppable(catalog, signal, CATALOG_WRITES);

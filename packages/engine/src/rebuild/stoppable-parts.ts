import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { stoppable } from '../model/stoppable.ts';
import type { Repository } from '../repository/repository.ts';

const REPOSITORY_WRITES: ReadonlySet<string> = new Set<keyof Repository>([
  'startRun',
  'lock',
  'closeRun',
  'beginGeneration',
  'acceptLosses',
  'replaceCommit',
  'deleteReplacedCommits',
  'ensureReserve',
  'releaseReserve',
  'deletePack',
  'createSegment',
  'deleteSegmented',
  'replaceInSegment',
  'extendLock',
  'addPassword',
  'removePassword',
  'changePassword',
  'close',
]);

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

/** A repository whose reading ends with the signal, also in the middle of a pack of a slow store. */
export const stoppableRepository = (repository: Repository, signal: AbortSignal | undefined): Repository =>
  stoppable(repository, signal, REPOSITORY_WRITES);

/** A catalog whose reading ends with the signal. */
export const stoppableCatalog = (catalog: RepositoryCatalog, signal: AbortSignal | undefined): RepositoryCatalog =>
  stoppable(catalog, signal, CATALOG_WRITES);

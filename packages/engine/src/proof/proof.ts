import type { CatalogObject, RepositoryCatalog } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';
import type { ItemVersion } from '../model/items.ts';
import type { Repository } from '../repository/repository.ts';
import type { Comparison, Originals } from '../source/originals.ts';
import { pickSample, type SampledItem, type SampleSize } from './pick-sample.ts';
import { type ReadBack, readBack } from './read-back.ts';

/** What a proof works with. */
export interface ProofParts {
  repository: Repository;
  catalog: RepositoryCatalog;
  originals: Originals;
  signal: AbortSignal;
}

/** An item of the sample, and what became of it. */
export interface ProvedItem {
  object: Pick<CatalogObject, 'kind' | 'name'>;
  item: Pick<ItemVersion, 'id' | 'kind' | 'name'>;
  /** All bytes that were restored: of a file its earlier versions too. */
  bytes: number;
  /** Why it cannot be restored as it was; `null`: it can. */
  fault: string | null;
  comparison: Comparison;
}

export interface ProofResult {
  restorePoint: { run: string; finishedAt: Date };
  items: ProvedItem[];
}

/** Enough that a weekly proof meets every kind, and little enough for the store and the tenant not to notice. */
const SIZE: SampleSize = { items: 20, bytes: 200 * 2 ** 20 };

/**
 * Restores a random sample of a job's newest restore point to memory, where every chunk is checked against its name, and compares it with the originals
 * where those did not change since. Nothing is written anywhere.
 * @returns `null` where the job has no restore point
 * @throws what concerns more than one item: a store that cannot be reached
 */
export async function prove(
  parts: ProofParts,
  job: { organizationId?: string; job: string },
  size: SampleSize = SIZE,
): Promise<ProofResult | null> {
  const { catalog, signal } = parts;
  const [newest] = await catalog.listRestorePoints({ ...job, limit: 1, offset: 0 });
  if (newest === undefined) return null;
  const run = newest.run.id;
  const sample = await pickSample(catalog, await catalog.restorePointObjects(run), size, signal);
  const items: ProvedItem[] = [];
  for (const sampled of sample) items.push(await proveItem(parts, sampled));
  return { restorePoint: { run, finishedAt: newest.finishedAt }, items };
}

async function proveItem(parts: ProofParts, { object, version }: SampledItem): Promise<ProvedItem> {
  const { id, kind, name } = version;
  const about = { object: { kind: object.kind, name: object.name }, item: { id, kind, name } };
  const read = await readOrFault(parts, version);
  if ('fault' in read) return { ...about, bytes: 0, fault: read.fault, comparison: NOT_RESTORED };
  const comparison = await parts.originals.compare(object, version, read.contents);
  const fault = comparison.outcome === 'differs' ? comparison.reason : null;
  return { ...about, bytes: read.bytes, fault, comparison };
}

const NOT_RESTORED: Comparison = { outcome: 'not-compared', reason: 'It could not be restored.' };

/** Items that are damaged are what a proof looks for; a store that is away, or a request to stop, ends it. */
async function readOrFault(parts: ProofParts, version: ItemVersion): Promise<ReadBack | { fault: string }> {
  try {
    return await readBack(parts, parts.originals, version);
  } catch (error) {
    parts.signal.throwIfAborted();
    if (error instanceof EngineError && ['damaged', 'not-found'].includes(error.code)) return { fault: error.message };
    throw error;
  }
}

import type { CatalogObject, RepositoryCatalog, VersionCount } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';
import { type ErasureSubject, objectsOfSubject } from './erasure-subject.ts';

/** What an erasure takes, or would take. */
export interface ErasurePlan {
  objects: CatalogObject[];
  /** Item versions of all restore points, and their bytes at the source. */
  items: number;
  bytes: number;
}

export interface Planned extends ErasurePlan {
  counts: ReadonlyMap<string, VersionCount>;
}

/** @param before what was planned before: only what changed since is counted once more */
export async function planned(catalog: RepositoryCatalog, subject: ErasureSubject, before?: Planned): Promise<Planned> {
  const all: CatalogObject[] = [];
  for await (const object of catalog.listObjects()) all.push(object);
  const objects = objectsOfSubject(all, subject);
  if (objects.length === 0)
    throw new EngineError(
      'not-found',
      `No restore point has anything of ${subject.type} '${subject.id}', so there is nothing to erase. 'objects' lists what there is.`,
    );
  const revisions = new Map(before?.objects.map(({ key, revision }) => [key, revision]));
  const changed = objects.filter(({ key, revision }) => revisions.get(key) !== revision).map(({ key }) => key);
  const counts = new Map(before?.counts);
  if (changed.length > 0) for (const [key, count] of await catalog.countVersions(changed)) counts.set(key, count);
  const sums = objects.map(({ key }) => counts.get(key) ?? NOTHING);
  const items = sums.reduce((sum, count) => sum + count.items, 0);
  return { objects, items, bytes: sums.reduce((sum, count) => sum + count.bytes, 0), counts };
}

export const NOTHING: VersionCount = { items: 0, bytes: 0 };

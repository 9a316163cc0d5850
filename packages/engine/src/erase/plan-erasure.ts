import type { CatalogObject, RepositoryCatalog, VersionCount } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';
import { laterOf } from '../model/later-of.ts';
import { type ErasureSubject, objectsOfSubject, usersCalled } from './erasure-subject.ts';

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

/**
 * Finds the objects of a subject, and counts what there is of them.
 * @param before what was planned before: only what changed since is counted once more
 * @throws `not-found`; `bad-request` for an address that several users had
 */
export async function planned(catalog: RepositoryCatalog, subject: ErasureSubject, before?: Planned): Promise<Planned> {
  const all: CatalogObject[] = [];
  for await (const object of catalog.listObjects()) all.push(object);
  if (subject.type === 'user') await refuseSeveral(catalog, subject.id, usersCalled(all, subject.id));
  const objects = objectsOfSubject(all, subject);
  if (objects.length === 0)
    throw new EngineError(
      'not-found',
      `No restore point has anything of ${subject.type} '${subject.id}', so there is nothing to erase.`,
      { remedy: 'list-objects' },
    );
  const revisions = new Map(before?.objects.map(({ key, revision }) => [key, revision]));
  const changed = objects.filter(({ key, revision }) => revisions.get(key) !== revision).map(({ key }) => key);
  const counts = new Map(before?.counts);
  if (changed.length > 0) for (const [key, count] of await catalog.countVersions(changed)) counts.set(key, count);
  const sums = objects.map(({ key }) => counts.get(key) ?? NOTHING);
  const items = sums.reduce((sum, count) => sum + count.items, 0);
  return { objects, items, bytes: sums.reduce((sum, count) => sum + count.bytes, 0), counts };
}

/** An address may have been that of another user before, who is not meant. */
async function refuseSeveral(
  catalog: RepositoryCatalog,
  called: string,
  users: ReadonlyMap<string, readonly CatalogObject[]>,
): Promise<void> {
  if (users.size < 2) return;
  const texts: string[] = [];
  for (const [user, objects] of [...users].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const kinds = [...new Set(objects.map(({ kind }) => kind))].sort().join(', ');
    texts.push(`${user} (${kinds}; last backup ${await lastBackup(catalog, objects)})`);
  }
  throw new EngineError(
    'bad-request',
    `${users.size} users had the address '${called}': ${texts.join(', ')}. Nothing was erased. Give the id of the one who is meant.`,
  );
}

/** The day of the last restore point with any of the objects; who is in no list of the organization any more is in it as before. */
async function lastBackup(catalog: RepositoryCatalog, objects: readonly CatalogObject[]): Promise<string> {
  let last: Date | null = null;
  let isListed = false;
  for (const { key: object } of objects) {
    const [listed] = await catalog.listRestorePoints({ object, limit: 1, offset: 0 });
    const point = listed === undefined ? null : await catalog.restorePoint(listed.run.id);
    last = laterOf(last, point?.finishedAt ?? null);
    isListed ||= point?.findings.objects?.[object] !== 'unlisted';
  }
  return `${last?.toISOString().slice(0, 10) ?? 'unknown'}${isListed ? '' : ', no longer in the organization'}`;
}

export const NOTHING: VersionCount = { items: 0, bytes: 0 };

import type { ChangesQuery, ItemChange, Page, RepositoryCatalog } from '../catalog/catalog.ts';
import type { ItemVersion } from '../model/items.ts';
import { ContainerPaths } from './container-paths.ts';

/** An item that is not the same at two revisions, with the names of the containers that it is in. */
export interface ComparedItem extends ItemChange {
  path: readonly string[];
  /** Of what changed: those of its other version. */
  otherPath: readonly string[] | null;
}

/** A page of what differs between two revisions of an object. */
export async function compareRevisions(
  catalog: RepositoryCatalog,
  query: ChangesQuery,
  signal: AbortSignal,
): Promise<Page<ComparedItem>> {
  const object = await catalog.object(query.object);
  const { rows, next } = await catalog.changes(query, signal);
  if (object === null) return { rows: [], next: null };
  const earlier = new ContainerPaths(catalog, { object, revision: query.from });
  const later = new ContainerPaths(catalog, { object, revision: query.to });
  const pathOf = ({ firstRevision, lastRevision, parentId }: ItemVersion) =>
    (firstRevision <= query.to && (lastRevision ?? query.to) >= query.to ? later : earlier).namesAbove(parentId);
  const compared: ComparedItem[] = [];
  for (const change of rows) {
    signal.throwIfAborted();
    const otherPath = change.other === null ? null : await pathOf(change.other);
    compared.push({ ...change, path: await pathOf(change.version), otherPath });
  }
  return { rows: compared, next };
}

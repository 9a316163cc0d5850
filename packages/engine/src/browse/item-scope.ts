import type { CatalogObject, RepositoryCatalog } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';
import type { ItemVersion } from '../model/items.ts';

/** Some of an object as it was at a revision: what a person exports or restores. */
export interface ItemScope {
  object: CatalogObject;
  revision: number;
  /** Items with all below them; `null`: all of the object. */
  items: readonly string[] | null;
  /** Also what earlier restore points still hold and this one no longer has. */
  showDeleted?: boolean;
  /** The run of the restore point that was chosen, where several have that revision. */
  restorePoint?: string;
}

/**
 * The versions a scope means, each once, containers before what they hold.
 * @throws `not-found` for an item that is not in the scope's state of the object
 */
export async function* versionsIn(catalog: RepositoryCatalog, scope: ItemScope): AsyncGenerator<ItemVersion> {
  const { object, revision, items, showDeleted = false } = scope;
  if (items === null) {
    yield* catalog.walk(object.key, revision, null, { showDeleted });
    return;
  }
  // A folder may be chosen together with something in it.
  const seen = items.length > 1 ? new Set<string>() : null;
  for (const id of items) {
    if (seen?.has(id)) continue;
    let isThere = false;
    for await (const item of catalog.walk(object.key, revision, id, { showDeleted })) {
      isThere = true;
      if (seen?.has(item.id)) continue;
      seen?.add(item.id);
      yield item;
    }
    if (!isThere) throw notThere(id, object.name);
  }
}

/** Count and bytes of a scope: what a person sees before it begins. Deleted items that are shown all the same do not count. */
export function weighScope(
  catalog: RepositoryCatalog,
  { object, revision, items }: ItemScope,
): Promise<{ items: number; bytes: number }> {
  return catalog.weigh(object.key, revision, items);
}

function notThere(id: string, objectName: string): EngineError {
  return new EngineError(
    'not-found',
    `'${objectName}' had no item ${id} at that time. \`browse\` and \`search\` list the ids; a deleted item needs the view that shows deleted ones.`,
  );
}

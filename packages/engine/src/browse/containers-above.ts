import type { RepositoryCatalog } from '../catalog/catalog.ts';
import type { ItemVersion } from '../model/items.ts';
import type { ItemScope } from './item-scope.ts';

/** More than any source nests; a circle of folders must not hang a restore. */
const DEPTH_MAX = 400;

/** A container as it was at the scope's revision, or, when it was deleted before that, as it was last. `null`: it was never stored. */
export async function containerAt(
  catalog: RepositoryCatalog,
  { object, revision }: Pick<ItemScope, 'object' | 'revision'>,
  id: string,
): Promise<ItemVersion | null> {
  const found = await catalog.item(object.key, revision, id);
  if (found !== null) return found;
  const versions = await catalog.versionsOf(object.key, id);
  return versions.find(({ firstRevision }) => firstRevision <= revision) ?? null;
}

/** The containers above an item, from the top down. One that was never stored ends the way: what is above it is unknown. */
export async function containersAbove(
  catalog: RepositoryCatalog,
  scope: Pick<ItemScope, 'object' | 'revision'>,
  parentId: string | null,
): Promise<ItemVersion[]> {
  const above: ItemVersion[] = [];
  for (let id = parentId; id !== null && above.length < DEPTH_MAX; ) {
    const container = await containerAt(catalog, scope, id);
    if (container === null) break;
    above.unshift(container);
    id = container.parentId;
  }
  return above;
}

import { type ItemScope, versionsIn } from '../browse/item-scope.ts';
import type { RepositoryCatalog } from '../catalog/catalog.ts';
import type { ItemVersion } from '../model/items.ts';
import type { RestoreOptions } from './restore-options.ts';

const DELETED: ReadonlySet<string | undefined> = new Set(['deleteditems', 'recoverableitemsdeletions']);

/** The items of a scope without those of folders that the options leave out; an item that was chosen itself comes all the same. */
export async function* chosenItems(
  catalog: RepositoryCatalog,
  scope: ItemScope,
  { deletedItems, drafts }: Pick<RestoreOptions, 'deletedItems' | 'drafts'>,
): AsyncGenerator<ItemVersion> {
  const chosen = new Set(scope.items);
  const leftOut = new Set<string>();
  for await (const item of versionsIn(catalog, scope)) {
    const { role } = item.details;
    const isOut =
      (item.parentId !== null && leftOut.has(item.parentId)) ||
      (!deletedItems && DELETED.has(role)) ||
      (!drafts && role === 'drafts');
    if (!isOut || chosen.has(item.id)) yield item;
    else if (item.kind === 'mail-folder') leftOut.add(item.id);
  }
}

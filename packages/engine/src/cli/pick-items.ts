import type { ItemScope } from '../browse/item-scope.ts';
import type { RepositoryCatalog } from '../catalog/catalog.ts';
import type { CommandOption, Given } from './command.ts';
import { PICK_OPTIONS, pickObject, pickRestorePoint } from './pick.ts';

/** Which items of which object at which restore point. */
export const ITEM_OPTIONS: Readonly<Record<string, CommandOption>> = {
  ...PICK_OPTIONS,
  item: { type: 'string', help: 'id of an item, or of a folder with all below it; may be given often. Without: all' },
  deleted: { type: 'boolean', help: 'also what earlier restore points hold and this one no longer has' },
};

export async function pickItems(catalog: RepositoryCatalog, given: Given): Promise<ItemScope> {
  const point = await pickRestorePoint(catalog, given);
  const { object, revision } = await pickObject(catalog, point, given);
  const items = given.all('item');
  return { object, revision, items: items.length === 0 ? null : items, showDeleted: given.has('deleted') };
}

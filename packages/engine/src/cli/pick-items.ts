import type { ItemScope } from '../browse/item-scope.ts';
import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';
import type { CommandOption } from './command-option.ts';
import { folderAtPath } from './folder-at-path.ts';
import type { Given } from './given.ts';
import { PICK_OPTIONS, pickObject, pickRestorePoint } from './pick.ts';

/** Which items of which object at which restore point. */
export const ITEM_OPTIONS: Readonly<Record<string, CommandOption>> = {
  ...PICK_OPTIONS,
  item: { type: 'string', help: 'id of an item, or of a folder with all below it; may be given often. Without: all' },
  path: { type: 'string', help: 'instead: names of the folders down to one: Inbox/Offers; may be given often' },
  deleted: { type: 'boolean', help: 'also what earlier restore points hold and this one no longer has' },
};

export async function pickItems(catalog: RepositoryCatalog, given: Given): Promise<ItemScope> {
  const point = await pickRestorePoint(catalog, given);
  const { object, revision } = await pickObject(catalog, point, given);
  const items = [...given.all('item')];
  const paths = given.all('path');
  if (paths.length > 0 && items.length > 0) throw new EngineError('bad-request', 'Give either --item or --path.');
  for (const path of paths) {
    const folder = path === '' ? null : await folderAtPath(catalog, object.key, revision, path);
    // A variable of a script that is empty, say: all of a mailbox is not what was meant.
    if (folder === null)
      throw new EngineError('bad-request', `--path '${path}' names no folder. Leave it out for all.`);
    items.push(folder);
  }
  return {
    object,
    revision,
    items: items.length === 0 ? null : items,
    showDeleted: given.has('deleted'),
    restorePoint: point.run.id,
  };
}

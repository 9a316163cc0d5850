import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { EngineError } from '../model/engine-error.ts';
import type { ItemScope } from './item-scope.ts';

/** The version of an item that a person chose among all that are stored (`versionsOf`), as a scope to restore or export. @throws `not-found` */
export async function scopeOfVersion(
  catalog: RepositoryCatalog,
  key: string,
  item: string,
  firstRevision: number,
): Promise<ItemScope> {
  const [object, versions] = [await catalog.object(key), await catalog.versionsOf(key, item)];
  if (object !== null && versions.some((version) => version.firstRevision === firstRevision))
    return { object, revision: firstRevision, items: [item] };
  throw new EngineError('not-found', 'This version is not stored any more. Look at the versions of the item again.');
}

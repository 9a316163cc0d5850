import type { ObjectFindings, RepositoryCatalog } from '../catalog/catalog.ts';
import { CONTAINER_KINDS, type ItemKind } from '../model/items.ts';
import { ContainerPaths } from './container-paths.ts';
import type { ItemScope } from './item-scope.ts';

/** What is known not to be in a restore point, or not in its newest version: the backup could not read it. */
export interface NotBackedUp {
  /** Of the item; of the object where it is a part of it. */
  id: string;
  /** `null`: a part of the object. */
  kind: ItemKind | null;
  name: string;
  /** Names of the containers above it. */
  path: readonly string[];
  /** For people. */
  reason: string;
}

const NOT_READ = 'It could not be read when it was backed up.';
const NOT_WHOLE = 'Not all of it was read when it was backed up; the findings of that backup say more.';

/**
 * What a scope lacks of what its object had when it was backed up: a restore or an export of it is not whole, however well it goes. Of chosen items
 * only what they are or contain is named.
 */
export async function notBackedUp(catalog: RepositoryCatalog, scope: ItemScope): Promise<NotBackedUp[]> {
  const { object, revision, items } = scope;
  const found = await catalog.objectFindings(object.key, revision, scope.restorePoint);
  if (found === null) return [];
  const paths = new ContainerPaths(catalog, scope);
  const lost = await lostIn(found, scope, paths);
  if (items !== null && !(await hasContainer(items, paths))) return lost;
  const { id, name } = object;
  const isNamed = found.lost.length + found.failures.length > 0 && !found.isCut;
  return [
    ...found.failures.map((reason) => ({ id, kind: null, name, path: [], reason })),
    ...(isNamed ? [] : [{ id, kind: null, name, path: [], reason: NOT_WHOLE }]),
    ...lost,
  ];
}

async function lostIn({ lost }: ObjectFindings, { items }: ItemScope, paths: ContainerPaths): Promise<NotBackedUp[]> {
  const chosen = items === null ? null : new Set(items);
  const within: NotBackedUp[] = [];
  for (const { id, kind, name, parentId, reason } of lost) {
    const above = await paths.above(parentId);
    const isMeant =
      chosen === null || [id, parentId ?? '', ...above.map((one) => one.id)].some((one) => chosen.has(one));
    if (isMeant)
      within.push({ id, kind, name, path: above.map((one) => one.name), reason: `${NOT_READ} ${reason}`.trim() });
  }
  return within;
}

async function hasContainer(items: readonly string[], paths: ContainerPaths): Promise<boolean> {
  for (const id of items) {
    const item = await paths.item(id);
    if (item !== null && CONTAINER_KINDS.has(item.kind)) return true;
  }
  return false;
}

import { uid } from '../../../world/random.ts';
import type { Content } from '../content/content.ts';
import type { Edit } from '../identity-set.ts';
import type { DriveItem } from './drive-item.ts';
import { itemIdOf } from './item-id.ts';

/** What an item is made from. */
export interface NewItem {
  name: string;
  kind: DriveItem['kind'];
  content?: Content;
  description?: string | undefined;
  malware?: string;
  remote?: DriveItem['remote'];
  fileSystem?: Partial<DriveItem['fileSystem']> | undefined;
  fields?: Record<string, unknown>;
}

/**
 * An item that is in no folder's list yet.
 * @param number of the item within its library, from which its ids are made
 */
export function newItem(
  drive: { id: string; seed: number },
  parent: DriveItem | undefined,
  number: number,
  seed: NewItem,
  edit: Edit,
): DriveItem {
  const uniqueId = uid(drive.seed, 0x17e3, number);
  const { content } = seed;
  const version = content && { id: '1.0', modifiedBy: edit.by, modifiedMs: edit.atMs, content };
  return {
    kind: seed.kind,
    id: itemIdOf(drive.id, uniqueId),
    uniqueId,
    listItemId: number,
    parent,
    name: seed.name,
    description: seed.description,
    createdBy: edit.by,
    createdMs: edit.atMs,
    modifiedBy: edit.by,
    modifiedMs: edit.atMs,
    fileSystem: { createdMs: edit.atMs, modifiedMs: edit.atMs, ...seed.fileSystem },
    revision: 1,
    contentRevision: 1,
    size: 0,
    versions: version ? [version] : [],
    children: new Map(),
    permissions: [],
    inheritsPermissions: true,
    malware: seed.malware,
    remote: seed.remote,
    fields: { ...seed.fields },
  };
}

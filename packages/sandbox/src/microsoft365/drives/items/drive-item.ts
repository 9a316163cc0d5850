import { GraphError } from '../../wire/graph-error.ts';
import type { Content } from '../content/content.ts';
import type { IdentitySet } from '../identity-set.ts';
import type { Permission } from '../permission.ts';

export interface ItemVersion {
  /** Such as `3.0`. */
  id: string;
  modifiedBy: IdentitySet;
  modifiedMs: number;
  content: Content;
}

/** An item of another drive that is shown in this one ("Add shortcut to OneDrive"). */
export interface RemoteTarget {
  driveId: string;
  itemId: string;
  siteId: string;
}

/** A file, a folder, a notebook (`package`) or a shortcut (`remote`). */
export interface DriveItem {
  kind: 'file' | 'folder' | 'package' | 'remote';
  id: string;
  uniqueId: string;
  /** Number of the item within its library's list. */
  listItemId: number;
  /** `undefined` for the root alone. */
  parent: DriveItem | undefined;
  name: string;
  description: string | undefined;
  createdBy: IdentitySet;
  createdMs: number;
  modifiedBy: IdentitySet;
  modifiedMs: number;
  /** What the client said of the file's own times. */
  fileSystem: { createdMs: number; modifiedMs: number };
  /** Grows with every change of the item. */
  revision: number;
  /** Grows with every change of the content; of a folder, with every change below it. */
  contentRevision: number;
  /** Bytes; of a folder, of all files below it. */
  size: number;
  /** Newest first; the first is the current one. Files alone have versions. */
  versions: ItemVersion[];
  children: Map<string, DriveItem>;
  permissions: Permission[];
  inheritsPermissions: boolean;
  /** Why the vendor's scanner blocks the content. */
  malware: string | undefined;
  remote: RemoteTarget | undefined;
  /** Values of the library's own columns. */
  fields: Record<string, unknown>;
}

export const itemNotFound = () => new GraphError(404, 'itemNotFound', 'The resource could not be found.');

/** Names are unique within a folder without regard to case. */
export const nameKey = (name: string): string => name.normalize('NFC').toLowerCase();

export const eTagOf = (item: DriveItem): string => `"{${item.uniqueId.toUpperCase()}},${item.revision}"`;

export const cTagOf = (item: DriveItem): string => `"c:{${item.uniqueId.toUpperCase()}},${item.contentRevision}"`;

/** Path below the root, such as `/a/b`; empty for the root. */
export function pathOf(item: DriveItem): string {
  return item.parent ? `${pathOf(item.parent)}/${item.name}` : '';
}

/** The item's folders, the root first. */
export function ancestorsOf(item: DriveItem): DriveItem[] {
  const ancestors: DriveItem[] = [];
  for (let folder = item.parent; folder; folder = folder.parent) ancestors.push(folder);
  return ancestors.reverse();
}

/** The item and everything below it, folders before what is in them. */
export function* treeOf(item: DriveItem): Generator<DriveItem> {
  yield item;
  for (const child of item.children.values()) yield* treeOf(child);
}

/** The current content of a file. @throws GraphError 400 for what is no file */
export function contentOf(item: DriveItem): Content {
  const current = item.versions[0];
  if (!current) throw new GraphError(400, 'invalidRequest', 'The item is not a file and has no content.');
  return current.content;
}

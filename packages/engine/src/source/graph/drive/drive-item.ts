import type { Item, ItemDetails } from '../../../model/items.ts';
import type { SkipCause } from '../../../model/outcome.ts';
import { identityOf } from '../identity-set.ts';
import { dateOf, instantOf, isObject, type JsonObject, numberOf, objectOf, textOf } from '../json.ts';
import { withoutUndefined } from '../mailbox/people.ts';

/** The link to the bytes that needs no token, for about an hour. */
export const downloadUrlOf = (entity: JsonObject): string | undefined =>
  textOf(entity['@microsoft.graph.downloadUrl'] ?? entity['@content.downloadUrl']);

/** Links that contain a permission are used, and never stored. Paths change without being reported by the drive. */
const PASSING = ['@odata.context', '@microsoft.graph.downloadUrl', '@content.downloadUrl', 'webUrl', 'webDavUrl'];
/** Of folders: they change with everything below, and would make a version of the folder each time. */
const PASSING_OF_FOLDERS = [...PASSING, 'size', 'cTag'];

/**
 * The entity as it is stored: all that was read, except what is valid only for a while. A delta does not list the items below a folder that
 * was renamed or moved, so their stored paths would be wrong.
 */
export function entityToStore(entity: JsonObject): JsonObject {
  const passing = isFolder(entity) ? PASSING_OF_FOLDERS : PASSING;
  const lasting = Object.entries(entity).filter(([name]) => !passing.includes(name));
  return Object.fromEntries(
    lasting.map(([name, value]) => [name, isObject(value) ? facetToStore(name, value) : value]),
  );
}

function facetToStore(name: string, facet: JsonObject): JsonObject {
  const { path: _, name: __, ...reference } = facet;
  const { childCount: ___, ...folder } = facet;
  if (name === 'parentReference') return reference;
  return name === 'folder' ? folder : facet;
}

/** Why an item has no bytes, for a reason that is no loss; `undefined` for files that have some, and folders. */
export function causeWithoutBytes(entity: JsonObject): SkipCause | undefined {
  if (isObject(entity['malware'])) return 'malware';
  if (isObject(entity['remoteItem'])) return 'link';
  if (isObject(entity['package'])) return 'package';
  return undefined;
}

/** Whether it may contain other items: packages contain the parts of a notebook. */
export function isFolder(entity: JsonObject): boolean {
  const remote = objectOf(entity['remoteItem']);
  return [entity['folder'], entity['package'], entity['bundle'], remote['folder'], remote['package']].some(isObject);
}

export const isRoot = (entity: JsonObject): boolean => isObject(entity['root']);

export const isDeleted = (entity: JsonObject): boolean => isObject(entity['deleted']);

/**
 * A drive's item. The root is not an item: what it contains is at the top.
 * @param rootId id of the root, whose children have no parent; https://learn.microsoft.com/graph/api/resources/driveitem
 */
export function driveItem(entity: JsonObject, rootId: string): Item {
  const parentId = textOf(objectOf(entity['parentReference'])['id']);
  const isContainer = isFolder(entity);
  return {
    id: textOf(entity['id']) ?? '',
    kind: isContainer ? 'folder' : 'file',
    parentId: parentId === undefined || parentId === rootId ? null : parentId,
    name: textOf(entity['name']) ?? '',
    // Sizes of folders change with every file in them: they are added up where they are shown.
    sizeBytes: isContainer ? 0 : (numberOf(entity['size']) ?? 0),
    modifiedAt: dateOf(entity['lastModifiedDateTime']),
    details: detailsOf(entity, isContainer),
  };
}

function detailsOf(entity: JsonObject, isContainer: boolean): ItemDetails {
  return withoutUndefined({
    from: identityOf(entity['lastModifiedBy']),
    createdAt: instantOf(entity['createdDateTime']),
    contentType: textOf(objectOf(entity['file'])['mimeType']),
    role: textOf(objectOf(entity['specialFolder'])['name']) ?? textOf(objectOf(entity['package'])['type']),
    tag: isContainer ? undefined : fileTag(entity),
    without: causeWithoutBytes(entity),
  });
}

/**
 * Three words: the tag of the bytes, which is `cTag`, and where that is missing a hash; the tag of all else, which is `eTag`; and
 * whether the item is shared, since a drive may share it with others without changing a tag.
 */
function fileTag(entity: JsonObject): string | undefined {
  const bytes = textOf(entity['cTag']) ?? textOf(objectOf(objectOf(entity['file'])['hashes'])['sha256Hash']);
  const all = textOf(entity['eTag']);
  if (bytes === undefined || all === undefined) return bytes;
  return [bytes, all, isShared(entity) ? 'shared' : 'own'].join(' ');
}

/** Whether it is itself shared, and not only by the folder it is in. */
export const isShared = (entity: JsonObject): boolean => isObject(entity['shared']);

/** Whether the bytes are those of the other tag. */
export function haveSameBytes(tag: string | undefined, other: string | undefined): boolean {
  return tag !== undefined && other !== undefined && tag.split(' ')[0] === other.split(' ')[0];
}

/** Whether nothing at all is other than at the other tag. What is shared is asked for each time. */
export function isSameItem(tag: string | undefined, other: string | undefined): boolean {
  return tag !== undefined && tag === other && tag.endsWith(' own');
}

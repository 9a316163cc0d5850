import type { Item, ItemDetails } from '../../../model/items.ts';
import type { SkipCause } from '../../../model/outcome.ts';
import { identityOf } from '../identity-set.ts';
import { dateOf, instantOf, isObject, type JsonObject, numberOf, objectOf, textOf } from '../json.ts';
import { told } from '../mailbox/people.ts';

/** Links that carry a permission by themselves and are others each time: they are used, and never kept. */
const PASSING = ['@microsoft.graph.downloadUrl', '@content.downloadUrl'];

/** The link to the bytes that needs no token, for about an hour. */
export const downloadUrlOf = (entity: JsonObject): string | undefined =>
  textOf(entity['@microsoft.graph.downloadUrl'] ?? entity['@content.downloadUrl']);

/** The entity as it is kept: all that was read but links that pass. */
export function keptEntity(entity: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(entity).filter(([name]) => !PASSING.includes(name)));
}

/** Why an item has no bytes, for a reason that is no loss; `undefined` for files that have some, and folders. */
export function causeWithoutBytes(entity: JsonObject): SkipCause | undefined {
  if (isObject(entity['malware'])) return 'malware';
  if (isObject(entity['remoteItem'])) return 'link';
  if (isObject(entity['package'])) return 'package';
  return undefined;
}

/** Whether others may lie in it: packages hold the parts of a notebook. */
export function isFolder(entity: JsonObject): boolean {
  const remote = objectOf(entity['remoteItem']);
  return [entity['folder'], entity['package'], entity['bundle'], remote['folder'], remote['package']].some(isObject);
}

export const isRoot = (entity: JsonObject): boolean => isObject(entity['root']);

export const isDeleted = (entity: JsonObject): boolean => isObject(entity['deleted']);

/**
 * A drive's item. The root is none: what lies in it stands at the top.
 * @param rootId what lies in it has no parent; https://learn.microsoft.com/graph/api/resources/driveitem
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
  return told({
    from: identityOf(entity['lastModifiedBy']),
    createdAt: instantOf(entity['createdDateTime']),
    contentType: textOf(objectOf(entity['file'])['mimeType']),
    role: textOf(objectOf(entity['specialFolder'])['name']) ?? textOf(objectOf(entity['package'])['type']),
    webUrl: textOf(entity['webUrl']),
    tag: isContainer ? folderTag(entity) : fileTag(entity),
    without: causeWithoutBytes(entity),
  });
}

/** `cTag` changes with the bytes alone; where it is missing a hash says the same. */
function fileTag(entity: JsonObject): string | undefined {
  return textOf(entity['cTag']) ?? textOf(objectOf(objectOf(entity['file'])['hashes'])['sha256Hash']);
}

/**
 * Delta queries tell of every folder above what changed. One whose `eTag` is the same has not changed itself; a shared one may have
 * changed in whom it is shared with, so that it has no tag and is always read.
 */
function folderTag(entity: JsonObject): string | undefined {
  return isObject(entity['shared']) ? undefined : textOf(entity['eTag']);
}

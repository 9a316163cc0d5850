import type { Item } from '../../../model/items.ts';
import { identityOf } from '../identity-set.ts';
import { booleanOf, dateOf, instantOf, type JsonObject, objectOf, textOf } from '../json.ts';
import { withoutUndefined } from '../mailbox/people.ts';

/** Ids of a list's rows and columns are unique in that list only: rows are numbered from 1, and columns are shared. */
export const rowId = (listId: string, id: string): string => `${listId}/items/${id}`;
/** The scope of a list's rows, which names their cursor. */
export const rowsScope = (listId: string): string => `items/${listId}`;
export const listOfRows = (scope: string): string | undefined => /^items\/(.+)$/.exec(scope)?.[1];
export const columnId = (listId: string | null, id: string): string => `${listId ?? 'site'}/columns/${id}`;
export const contentTypeId = (listId: string | null, id: string): string => `${listId ?? 'site'}/contentTypes/${id}`;

/** List and number of a row's id; `null` for an id that is no row's. */
export function rowOfId(id: string): { listId: string; row: string } | null {
  const [, listId, row] = /^(.+)\/items\/(.+)$/.exec(id) ?? [];
  return listId === undefined || row === undefined ? null : { listId, row };
}

/** The site itself (role `root`), or one below it. */
export function siteItem(entity: JsonObject, role: 'root' | undefined): Item {
  return {
    id: textOf(entity['id']) ?? '',
    kind: 'subsite',
    parentId: null,
    name: textOf(entity['displayName']) ?? textOf(entity['name']) ?? '',
    sizeBytes: 0,
    modifiedAt: null,
    details: withoutUndefined({
      role,
      createdAt: instantOf(entity['createdDateTime']),
      webUrl: textOf(entity['webUrl']),
    }),
  };
}

export function listItem(entity: JsonObject): Item {
  return {
    id: textOf(entity['id']) ?? '',
    kind: 'list',
    parentId: null,
    name: textOf(entity['displayName']) ?? textOf(entity['name']) ?? '',
    sizeBytes: 0,
    modifiedAt: null,
    details: withoutUndefined({
      from: identityOf(entity['createdBy']),
      createdAt: instantOf(entity['createdDateTime']),
      role: textOf(objectOf(entity['list'])['template']),
      webUrl: textOf(entity['webUrl']),
    }),
  };
}

/** A column of a list, or of the site itself (`null`). */
export function columnItem(entity: JsonObject, listId: string | null): Item {
  return schemaItem(entity, 'list-column', listId, columnId(listId, textOf(entity['id']) ?? ''));
}

export function contentTypeItem(entity: JsonObject, listId: string | null): Item {
  return schemaItem(entity, 'content-type', listId, contentTypeId(listId, textOf(entity['id']) ?? ''));
}

function schemaItem(
  entity: JsonObject,
  kind: 'list-column' | 'content-type',
  parentId: string | null,
  id: string,
): Item {
  const name = textOf(entity['displayName']) ?? textOf(entity['name']) ?? '';
  const details = withoutUndefined({ role: textOf(entity['type']) });
  return { id, kind, parentId, name, sizeBytes: 0, modifiedAt: null, details };
}

/** A row, whose fields are in the entity. */
export function rowItem(entity: JsonObject, listId: string): Item {
  const fields = objectOf(entity['fields']);
  const id = textOf(entity['id']) ?? '';
  return {
    id: rowId(listId, id),
    kind: 'list-item',
    parentId: listId,
    name: textOf(fields['Title']) ?? textOf(fields['LinkTitle']) ?? textOf(fields['FileLeafRef']) ?? id,
    sizeBytes: Buffer.byteLength(JSON.stringify(fields)),
    modifiedAt: dateOf(entity['lastModifiedDateTime']),
    details: withoutUndefined({
      from: identityOf(entity['lastModifiedBy']),
      createdAt: instantOf(entity['createdDateTime']),
      hasAttachments: booleanOf(fields['Attachments']),
      contentType: textOf(objectOf(entity['contentType'])['name']),
      version: textOf(fields['_UIVersionString']),
      webUrl: textOf(entity['webUrl']),
      tag: textOf(entity['eTag']),
    }),
  };
}

export function pageItem(entity: JsonObject): Item {
  return {
    id: textOf(entity['id']) ?? '',
    kind: 'page',
    parentId: null,
    name: textOf(entity['title']) ?? textOf(entity['name']) ?? '',
    sizeBytes: Buffer.byteLength(JSON.stringify(entity['canvasLayout'] ?? '')),
    modifiedAt: dateOf(entity['lastModifiedDateTime']),
    details: withoutUndefined({
      from: identityOf(entity['lastModifiedBy']),
      createdAt: instantOf(entity['createdDateTime']),
      role: textOf(entity['pageLayout']),
      isDraft: textOf(objectOf(entity['publishingState'])['level']) === 'draft' ? true : undefined,
      version: textOf(objectOf(entity['publishingState'])['versionId']),
      webUrl: textOf(entity['webUrl']),
      tag: textOf(entity['eTag']),
    }),
  };
}

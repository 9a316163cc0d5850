import type { SourceEvent } from '../../source.ts';
import { type JsonObject, objectOf, objectsOf, textOf } from '../json.ts';
import { propertiesOf } from '../mailbox/read-items.ts';
import type { Reading } from '../reader.ts';
import { nothingLeft, toldWhenChanged, without } from '../told-when-changed.ts';
import { columnItem, contentTypeItem, listItem } from './site-item.ts';
import type { SiteParts } from './site-parts.ts';

/** A list whose rows are read. */
export interface ListToRead {
  id: string;
  name: string;
  isLibrary: boolean;
}

/** Of lists that the system keeps for itself this one alone is read: rows name people by their numbers in it. */
const PEOPLE = 'userInformation';

const templateOf = (list: JsonObject) => textOf(objectOf(list['list'])['template']);

/**
 * Lists with their columns and content types, and those of the site itself. Libraries are lists too, whose files are drives of their own.
 * @returns the lists whose rows are read
 */
export function* listEvents(reading: Reading, parts: SiteParts): Generator<SourceEvent, ListToRead[]> {
  const lists = parts.lists.filter((list) => !('system' in list) || templateOf(list) === PEOPLE);
  const scan = { scope: 'lists', kinds: ['list'] } as const;
  yield* schemaEvents(reading, null, parts.columns, parts.contentTypes);
  yield { type: 'scan-begin', scan, resumed: false };
  for (const list of lists) {
    const item = listItem(list);
    yield { type: 'item', item, contents: [propertiesOf(keptList(list))] };
    yield* schemaEvents(reading, item.id, objectsOf(list['columns']), objectsOf(list['contentTypes']));
  }
  const there = new Set(lists.map(({ id }) => schemaScope(textOf(id) ?? '')));
  for (const scope of reading.request.cursors.keys()) {
    const listId = /^schema\/(.+)$/.exec(scope)?.[1];
    if (listId !== undefined && listId !== 'site' && !there.has(scope)) yield* nothingLeft(schemaScan(listId));
  }
  yield { type: 'scan-end', scan };
  return lists.flatMap((list) => toRead(list) ?? []);
}

/** Columns and content types are items of their own; what is left of them is their order. */
function keptList(list: JsonObject): JsonObject {
  const kept = without(list, 'contentTypes', 'columns@odata.context', 'contentTypes@odata.context');
  const columns = objectsOf(list['columns']).map(({ name }) => ({ name }));
  return { ...without(kept, 'lastModifiedDateTime', 'eTag', '@odata.etag'), columns };
}

const schemaScope = (listId: string | null) => `schema/${listId ?? 'site'}`;

const schemaScan = (listId: string | null) =>
  ({ scope: schemaScope(listId), kinds: ['list-column', 'content-type'], parentId: listId }) as const;

function schemaEvents(
  { request }: Reading,
  listId: string | null,
  columns: readonly JsonObject[],
  contentTypes: readonly JsonObject[],
): Generator<SourceEvent> {
  return toldWhenChanged(request, schemaScan(listId), [
    ...columns.map((entity) => ({ entity, item: columnItem(entity, listId) })),
    ...contentTypes.map((entity) => ({ entity, item: contentTypeItem(entity, listId) })),
  ]);
}

/** Rows of a library say nothing its drive does not say, unless somebody gave it columns. */
function toRead(list: JsonObject): ListToRead | null {
  const isLibrary = /library$/i.test(templateOf(list) ?? '');
  if (isLibrary && !objectsOf(list['columns']).some(isOwnColumn)) return null;
  return { id: textOf(list['id']) ?? '', name: textOf(list['displayName']) ?? '', isLibrary };
}

const isOwnColumn = (column: JsonObject) =>
  column['columnGroup'] === 'Custom Columns' && column['readOnly'] !== true && column['hidden'] !== true;

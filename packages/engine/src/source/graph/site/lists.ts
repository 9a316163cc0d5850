import type { SourceEvent } from '../../source.ts';
import { type JsonObject, objectOf, textOf } from '../json.ts';
import { asStored, propertiesOf } from '../read-items.ts';
import type { Reading } from '../reader.ts';
import { nothingLeft, scanIfChanged, without } from '../scan-if-changed.ts';
import { columnItem, contentTypeItem, listItem, rowsScope } from './site-item.ts';
import type { ListParts, Schema } from './site-lists.ts';
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
 * A list whose columns cannot be read is reported as failed, and keeps those that are stored; its rows are read.
 * @returns the lists whose rows are read
 */
export async function* listEvents(reading: Reading, parts: SiteParts): AsyncGenerator<SourceEvent, ListToRead[]> {
  const lists = parts.lists.filter(({ entity }) => !('system' in entity) || templateOf(entity) === PEOPLE);
  const scan = { scope: 'lists', kinds: ['list'] } as const;
  yield* schemaEvents(reading, null, parts.schema, 'the columns and content types of the site');
  yield { type: 'scan-begin', scan, resumed: false };
  for (const { entity, schema } of lists) {
    const item = listItem(entity);
    yield await listEvent(reading, entity, schema);
    yield* schemaEvents(reading, item.id, schema, `the columns and content types of the list ‘${item.name}’`);
  }
  const there = new Set(lists.map(({ entity }) => schemaScope(textOf(entity['id']) ?? '')));
  for (const scope of reading.request.cursors.keys()) {
    const listId = /^schema\/(.+)$/.exec(scope)?.[1];
    if (listId !== undefined && listId !== 'site' && !there.has(scope)) yield* nothingLeft(schemaScan(listId));
  }
  yield { type: 'scan-end', scan };
  return lists.flatMap((list) => toRead(reading, list) ?? []);
}

/** A list whose columns could not be read stays as it is stored: their order is part of it. */
async function listEvent({ request }: Reading, entity: JsonObject, schema: Schema | Error): Promise<SourceEvent> {
  const item = listItem(entity);
  if (!(schema instanceof Error)) return { type: 'item', item, contents: [propertiesOf(listToStore(entity, schema))] };
  const stored = (await request.current([item.id])).get(item.id);
  if (stored !== undefined) return asStored(stored, null);
  return { type: 'item', item, contents: [propertiesOf(listToStore(entity, { columns: [] }))] };
}

/** Columns and content types are items of their own; what is left of them is their order. */
function listToStore(list: JsonObject, { columns }: Pick<Schema, 'columns'>): JsonObject {
  const lasting = without(list, 'contentTypes', 'columns@odata.context', 'contentTypes@odata.context');
  const names = columns.map(({ name }) => ({ name }));
  return { ...without(lasting, 'lastModifiedDateTime', 'eTag', '@odata.etag'), columns: names };
}

const schemaScope = (listId: string | null) => `schema/${listId ?? 'site'}`;

const schemaScan = (listId: string | null) =>
  ({ scope: schemaScope(listId), kinds: ['list-column', 'content-type'], parentId: listId }) as const;

async function* schemaEvents(
  { request, failures }: Reading,
  listId: string | null,
  schema: Schema | Error,
  what: string,
): AsyncGenerator<SourceEvent> {
  if (schema instanceof Error) {
    yield await failures.partFailed(what, schema);
    return;
  }
  yield* scanIfChanged(request, schemaScan(listId), [
    ...schema.columns.map((entity) => ({ entity, item: columnItem(entity, listId) })),
    ...schema.contentTypes.map((entity) => ({ entity, item: contentTypeItem(entity, listId) })),
  ]);
}

/** Rows of a library say only what its drive says, unless it has custom columns. Where its columns could not be read, the previous run decides. */
function toRead({ request }: Reading, { entity, schema }: ListParts): ListToRead | null {
  const id = textOf(entity['id']) ?? '';
  const isLibrary = /library$/i.test(templateOf(entity) ?? '');
  const hasOwnColumns = schema instanceof Error ? request.cursors.has(rowsScope(id)) : schema.columns.some(isOwnColumn);
  if (isLibrary && !hasOwnColumns) return null;
  return { id, name: textOf(entity['displayName']) ?? '', isLibrary };
}

const isOwnColumn = (column: JsonObject) =>
  column['columnGroup'] === 'Custom Columns' && column['readOnly'] !== true && column['hidden'] !== true;

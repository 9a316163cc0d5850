import { EngineError } from '../../../model/engine-error.ts';
import type { SourceEvent } from '../../source.ts';
import { type DeltaScope, emptied, isRemoved, readDelta } from '../delta.ts';
import { cursorText, readCursor } from '../delta-cursor.ts';
import { GraphError } from '../graph-error.ts';
import { type JsonObject, textOf } from '../json.ts';
import { EXPORT_MAX, exportItems, mailboxIdsOf } from '../mailbox/exchange-export.ts';
import { readFolderDelta } from '../mailbox/folder-deltas.ts';
import { paged, path } from '../mailbox/mailbox-paths.ts';
import { groupsOf, isGone, lostEvent, propertiesOf } from '../mailbox/read-items.ts';
import type { Reading } from '../reader.ts';
import { ALL_FOLDER_KINDS, ALL_ITEM_KINDS, archiveFolder, archiveItem, ITEM_QUERY, rootOf } from './archive-items.ts';

const FOLDERS = 'archive-folders';

/**
 * The in-place archive of a mailbox. Graph reaches it by import and export alone: an item is what lists say of it, and the server's
 * own form. https://learn.microsoft.com/graph/mailbox-import-export-concept-overview
 */
export async function* readArchive(reading: Reading): AsyncGenerator<SourceEvent> {
  const { connection, request } = reading;
  const { id, name } = request.object;
  const { archive } = await mailboxIdsOf(connection, id, request.signal);
  if (archive === null)
    throw new EngineError(
      'source-gone',
      `${name} has no archive that Microsoft 365 gives out (any more). Exclude it from the job.`,
    );
  const cursor = yield* readFolders(reading, archive);
  yield cursor;
  yield* readLost(reading, archive);
}

/** What earlier runs could not read, tried again: read, lost once more, or gone meanwhile. */
async function* readLost(reading: Reading, archive: string): AsyncGenerator<SourceEvent> {
  const { connection, request } = reading;
  for (const { id, parentId } of request.lost) {
    const folder = parentId ?? '';
    try {
      const item = path`/admin/exchange/mailboxes/${archive}/folders/${folder}/items/${id}`;
      const entity = await connection.ask({ path: item, signal: request.signal });
      yield* await exported(reading, archive, folder, [entity]);
    } catch (error) {
      if (!isGone(error)) throw error;
      yield { type: 'removed', id };
    }
  }
}

async function* readFolders(reading: Reading, archive: string): AsyncGenerator<SourceEvent, SourceEvent> {
  const { connection, request } = reading;
  const from = readCursor(request.cursors.get(FOLDERS));
  const delta: DeltaScope = {
    scope: FOLDERS,
    path: path`/admin/exchange/mailboxes/${archive}/folders/delta`,
    headers: paged(200),
    kinds: ALL_FOLDER_KINDS,
  };
  const folders: JsonObject[] = [];
  const ends: SourceEvent[] = [];
  let cursor: SourceEvent = { type: 'cursor', scope: FOLDERS, value: null };
  for await (const step of readDelta(connection, delta, from?.phase === 'round' ? from : null, request.signal)) {
    if (step.type === 'page') folders.push(...step.values);
    else if (step.type === 'scan-end') ends.push(step);
    else if (step.type === 'cursor') cursor = step;
    else yield step;
  }
  const there = folders.filter((folder) => !isRemoved(folder));
  const root = from?.memory?.['root'] ?? rootOf(there);
  for (const folder of there)
    yield { type: 'item', item: archiveFolder(folder, root), contents: [propertiesOf(folder)] };
  const told = new Set(there.flatMap(({ id }) => textOf(id) ?? []));
  const gone = new Set(folders.filter(isRemoved).flatMap(({ id }) => textOf(id) ?? []));
  const known = [...request.cursors.keys()].flatMap((scope) => /^archive-items\/(.+)$/.exec(scope)?.[1] ?? []);
  if (ends.length > 0) for (const id of known) if (!told.has(id)) gone.add(id);
  for (const id of gone) yield* [...emptied(itemScope(archive, id)), { type: 'removed', id } as const];
  yield* ends;
  const left = [...new Set([...told, ...known])].filter((id) => !gone.has(id));
  const query = await itemQuery(reading, archive, left[0]);
  for (const id of left) yield* readItems(reading, archive, itemScope(archive, id, query));
  return rooted(cursor, root);
}

/** Not every tenant tells subjects with its lists; without them items are told by their classes and sizes. */
async function itemQuery({ connection, request }: Reading, archive: string, folderId = ''): Promise<string> {
  const items = path`/admin/exchange/mailboxes/${archive}/folders/${folderId}/items`;
  try {
    if (folderId !== '') await connection.ask({ path: `${items}?$top=1&${ITEM_QUERY}`, signal: request.signal });
    return `?${ITEM_QUERY}`;
  } catch (error) {
    if (error instanceof GraphError && error.status === 400) return '';
    if (isGone(error)) return '';
    throw error;
  }
}

function rooted(event: SourceEvent, root: string | null): SourceEvent {
  if (event.type !== 'cursor' || event.value === null || root === null) return event;
  const cursor = readCursor(event.value);
  return cursor === null ? event : { ...event, value: cursorText({ ...cursor, memory: { root } }) };
}

function itemScope(archive: string, folderId: string, query = ''): DeltaScope {
  return {
    scope: `archive-items/${folderId}`,
    path: path`/admin/exchange/mailboxes/${archive}/folders/${folderId}/items/delta` + query,
    headers: paged(200),
    kinds: ALL_ITEM_KINDS,
    parentId: folderId,
  };
}

async function* readItems(reading: Reading, archive: string, delta: DeltaScope): AsyncGenerator<SourceEvent> {
  const folderId = delta.parentId ?? '';
  try {
    for await (const step of readFolderDelta(reading, delta)) {
      if (step.type !== 'there') yield step;
      else
        for (const group of groupsOf(step.entities, EXPORT_MAX))
          yield* await exported(reading, archive, folderId, group);
    }
  } catch (error) {
    // The folder went meanwhile.
    if (!isGone(error)) throw error;
    yield* emptied(delta);
  }
}

async function exported(
  { connection, request }: Reading,
  archive: string,
  folderId: string,
  entities: readonly JsonObject[],
): Promise<SourceEvent[]> {
  const items = entities.map((entity) => ({ entity, item: archiveItem(entity, folderId) }));
  const ids = items.map(({ item }) => item.id);
  const streams = await exportItems(connection, archive, ids, request.signal);
  return items.flatMap(({ entity, item }): SourceEvent[] => {
    const bytes =
      streams.get(item.id) ?? new Error('Microsoft 365 left the item out of its export. It is tried again.');
    if (Buffer.isBuffer(bytes))
      return [{ type: 'item', item, contents: [propertiesOf(entity), { name: 'export', bytes }] }];
    return isGone(bytes) ? [] : [lostEvent(item, bytes)];
  });
}

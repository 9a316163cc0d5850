import { EngineError } from '../../../model/engine-error.ts';
import type { Item } from '../../../model/items.ts';
import type { SourceContent, SourceEvent } from '../../source.ts';
import { type DeltaScope, emptied, isRemoved, readDelta } from '../delta/delta.ts';
import { cursorText, readCursor } from '../delta/delta-cursor.ts';
import { GraphError } from '../graph-error.ts';
import { isObject, type JsonObject, textOf } from '../json.ts';
import { archiveOf, EXPORT_MAX } from '../mailbox/exchange-export.ts';
import { exportedTogether, exportGroups, exportLater } from '../mailbox/exchange-stream.ts';
import { readFolderDelta } from '../mailbox/folder-deltas.ts';
import { paged, path } from '../mailbox/mailbox-paths.ts';
import { groupsOf, propertiesOf } from '../read-items.ts';
import type { Reading } from '../reader.ts';
import { type Container, type ItemPlace, repliesTo } from '../reading-failures.ts';
import { ALL_FOLDER_KINDS, ALL_ITEM_KINDS, archiveFolder, archiveItem, ITEM_QUERY, rootOf } from './archive-items.ts';

const FOLDERS = 'archive-folders';

/**
 * The in-place archive of a mailbox. Graph reaches it by import and export alone: an item is what lists say of it, and the server's
 * own form. https://learn.microsoft.com/graph/mailbox-import-export-concept-overview
 */
export async function* readArchive(reading: Reading): AsyncGenerator<SourceEvent> {
  const { connection, request } = reading;
  const { id, name } = request.object;
  const archive = await archiveOf(connection, id, request.signal);
  if (archive === null)
    throw new EngineError(
      'source-gone',
      `${name} has no archive that Microsoft 365 gives out (any more). Exclude it from the job.`,
    );
  const cursor = yield* readFolders(reading, archive);
  if (cursor !== null) yield cursor;
  yield* readLost(reading, archive);
}

const archiveFolderPath = (archive: string, id: string) => path`/admin/exchange/mailboxes/${archive}/folders/${id}`;

const archiveContainer = (archive: string, id: string): Container => {
  return { noun: 'folder', id, path: archiveFolderPath(archive, id) };
};

function placeInArchive(archive: string, { id, parentId }: Pick<Item, 'id' | 'parentId'>): ItemPlace {
  const folder = parentId ?? '';
  const entity = { path: `${archiveFolderPath(archive, folder)}${path`/items/${id}`}` };
  return { container: archiveContainer(archive, folder), entity };
}

/** What earlier runs could not read, tried again: read, lost once more, or gone meanwhile. */
async function* readLost(reading: Reading, archive: string): AsyncGenerator<SourceEvent> {
  const { connection, request, failures } = reading;
  for (const item of request.lost.filter(({ kind }) => !ALL_FOLDER_KINDS.includes(kind))) {
    const place = placeInArchive(archive, item);
    try {
      const entity = await connection.ask({ ...place.entity, signal: request.signal });
      yield* await exported(reading, archive, item.parentId ?? '', [entity]);
    } catch (error) {
      yield await failures.stillLost(item, error, place);
    }
  }
}

/** @returns the place in the round over the folders; `null` when not all of them were read, since it names each once */
async function* readFolders(reading: Reading, archive: string): AsyncGenerator<SourceEvent, SourceEvent | null> {
  const { connection, request } = reading;
  const from = readCursor(request.cursors.get(FOLDERS));
  const delta: DeltaScope = {
    scope: FOLDERS,
    // Without the counts of items: the delta does not report a folder because of them.
    path: `${path`/admin/exchange/mailboxes/${archive}/folders/delta`}?$select=id,displayName,parentFolderId,type`,
    headers: paged(200),
    kinds: ALL_FOLDER_KINDS,
    isRereadMonthly: true,
  };
  const folders: JsonObject[] = [];
  const ends: SourceEvent[] = [];
  let cursor: SourceEvent = { type: 'cursor', scope: FOLDERS, value: null };
  // A round names those that changed alone.
  const isFolderLost = request.lost.some(({ kind }) => ALL_FOLDER_KINDS.includes(kind));
  const place = from?.phase === 'round' && !isFolderLost ? from : null;
  for await (const step of readDelta(connection, delta, place, request.signal)) {
    if (step.type === 'page') folders.push(...step.values);
    else if (step.type === 'scan-end') ends.push(step);
    else if (step.type === 'cursor') cursor = step;
    else yield step;
  }
  const there = folders.filter((folder) => !isRemoved(folder));
  const root = from?.memory?.['root'] ?? rootOf(there);
  for (const folder of there)
    yield { type: 'item', item: archiveFolder(folder, root), contents: [propertiesOf(folder)] };
  const listed = new Set(there.flatMap(({ id }) => textOf(id) ?? []));
  const gone = new Set(folders.filter(isRemoved).flatMap(({ id }) => textOf(id) ?? []));
  const known = [...request.cursors.keys()].flatMap((scope) => /^archive-items\/(.+)$/.exec(scope)?.[1] ?? []);
  if (ends.length > 0) for (const id of known) if (!listed.has(id)) gone.add(id);
  for (const id of gone) yield* [...emptied(itemScope(archive, id)), { type: 'removed', id } as const];
  yield* ends;
  const left = [...new Set([...listed, ...known])].filter((id) => !gone.has(id));
  const query = await itemQuery(reading, archive, left);
  let isWhole = true;
  for (const id of left) {
    for await (const event of readItems(reading, archive, itemScope(archive, id, query))) {
      isWhole &&= event.type !== 'failure';
      yield event;
    }
  }
  return isWhole ? rooted(cursor, root) : null;
}

/** Not every tenant returns subjects in a delta: the reference names no `$expand`. There, each item is asked for them. */
async function itemQuery(
  { connection, request }: Reading,
  archive: string,
  folders: readonly string[],
): Promise<string> {
  for (const id of folders) {
    const items = `${archiveFolderPath(archive, id)}/items/delta`;
    try {
      await connection.ask({ path: `${items}?$top=1&${ITEM_QUERY}`, signal: request.signal });
      break;
    } catch (error) {
      if (!(error instanceof GraphError)) throw error;
      if (error.status === 400) return '';
      // Reading this folder itself reports what is wrong with it.
    }
  }
  return `?${ITEM_QUERY}`;
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
    isRereadMonthly: true,
  };
}

async function* readItems(reading: Reading, archive: string, delta: DeltaScope): AsyncGenerator<SourceEvent> {
  const folderId = delta.parentId ?? '';
  for await (const step of readFolderDelta(reading, delta, archiveContainer(archive, folderId))) {
    if (step.type !== 'there') yield step;
    else
      for (const group of groupsOf(step.entities, EXPORT_MAX)) {
        const detailed = delta.path.endsWith(ITEM_QUERY) ? group : await withDetails(reading, archive, folderId, group);
        yield* await exported(reading, archive, folderId, detailed);
      }
  }
}

/** The same items with what makes their subjects; where it is refused, as they are: by their classes and sizes. */
async function withDetails(
  { connection, request }: Reading,
  archive: string,
  folderId: string,
  entities: readonly JsonObject[],
): Promise<JsonObject[]> {
  const base = archiveFolderPath(archive, folderId);
  const calls = entities.map(({ id }) => ({ path: `${base}${path`/items/${textOf(id) ?? ''}`}?${ITEM_QUERY}` }));
  const replies = await repliesTo(connection, calls, request.signal);
  return entities.map((entity, index) => {
    const reply = replies[index];
    return reply !== undefined && 'body' in reply && isObject(reply.body) ? { ...entity, ...reply.body } : entity;
  });
}

async function exported(
  reading: Reading,
  archive: string,
  folderId: string,
  entities: readonly JsonObject[],
): Promise<SourceEvent[]> {
  const items = entities.map((entity) => ({ entity, item: archiveItem(entity, folderId) }));
  const { small, large } = exportGroups(items.map(({ item }) => item));
  const now = new Map<string, Buffer | EngineError>();
  const later = new Set(large.map(({ id }) => id));
  for (const group of small) {
    const exports = await exportedTogether(reading, archive, group);
    if (typeof exports !== 'string') for (const [id, bytes] of exports) now.set(id, bytes);
    else for (const { id } of group) later.add(id);
  }
  const events = items.map(async ({ entity, item }): Promise<SourceEvent[]> => {
    const place = placeInArchive(archive, item);
    const itemWith = (content: SourceContent): SourceEvent[] => [
      { type: 'item', item, contents: [propertiesOf(entity), content] },
    ];
    if (later.has(item.id)) return itemWith(exportLater(reading, archive, item, place));
    const bytes = now.get(item.id);
    if (Buffer.isBuffer(bytes)) return itemWith({ name: 'export', bytes });
    return reading.failures.eventsOf(item, bytes ?? leftOut(), place);
  });
  return (await Promise.all(events)).flat();
}

const leftOut = () =>
  new EngineError('source-refused', 'Microsoft 365 left the item out of its export. It is tried again.');

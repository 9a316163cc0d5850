import type { Item } from '../../../model/items.ts';
import type { SourceEvent } from '../../source.ts';
import type { GraphConnection } from '../connection.ts';
import { type DeltaScope, emptied, isRemoved, readDelta } from '../delta/delta.ts';
import { cursorText, readCursor } from '../delta/delta-cursor.ts';
import { GraphError } from '../graph-error.ts';
import { type JsonObject, objectOf, textOf } from '../json.ts';
import { propertiesOf } from '../read-items.ts';
import type { Reading } from '../reader.ts';
import { paged, path, SINGLE } from './mailbox-paths.ts';
import { withoutUndefined } from './people.ts';

const SCOPE = 'mail-folders';

/** The folders every mailbox may have; https://learn.microsoft.com/graph/api/resources/mailfolder */
const WELL_KNOWN = [
  'msgfolderroot',
  'inbox',
  'drafts',
  'sentitems',
  'deleteditems',
  'junkemail',
  'archive',
  'outbox',
  'conversationhistory',
  'clutter',
  'scheduled',
];

/** What people removed for good is a part of its own (`recoverable-items.ts`), should a round over all folders name it. */
const NOT_READ_HERE = [
  'recoverableitemsroot',
  'recoverableitemsdeletions',
  'recoverableitemspurges',
  'recoverableitemsversions',
];

/** Without the counts of its items: they change with every message, and would make a version of the folder each time. */
const QUERY = 'includeHiddenFolders=true&$select=id,displayName,parentFolderId,isHidden';

/** What a round over the folders came to. */
export interface FolderRound {
  /** Folders that exist and that this round listed: something in them may have changed. */
  listed: ReadonlySet<string>;
  /** Folders that are gone, with everything in them. */
  removed: ReadonlySet<string>;
  /**
   * The place after this round. A round reports a changed folder only once, so this is stored only when all folders and their messages were
   * read.
   */
  cursor: SourceEvent;
}

/** Reads the folders that changed, parents before their children. */
export async function* readMailFolders({ connection, request }: Reading): AsyncGenerator<SourceEvent, FolderRound> {
  const { object, cursors, lost, signal } = request;
  const from = readCursor(cursors.get(SCOPE));
  // A round names those that changed alone.
  const isFolderLost = lost.some(({ kind }) => kind === 'mail-folder');
  const asking = from?.memory === undefined ? rolesOf(connection, object.id, signal) : Promise.resolve(from.memory);
  // The roles load while the folders do; a failure is reported when they are needed.
  asking.catch(() => undefined);
  const delta: DeltaScope = {
    scope: SCOPE,
    path: `${path`/users/${object.id}/mailFolders/delta`}?${QUERY}`,
    headers: paged(200),
    kinds: ['mail-folder'],
    isRereadMonthly: true,
  };
  const entities: JsonObject[] = [];
  const ends: SourceEvent[] = [];
  let ended: CursorEvent = { type: 'cursor', scope: SCOPE, value: null };
  // A first round that was not read to its end starts from the beginning: there are few folders.
  const place = from?.phase === 'round' && !isFolderLost ? from : null;
  for await (const step of readDelta(connection, delta, place, signal)) {
    if (step.type === 'page') entities.push(...step.values);
    else if (step.type === 'scan-end') ends.push(step);
    else if (step.type === 'cursor') ended = step;
    else if (step.type === 'scan-begin')
      yield { ...step, scan: { ...step.scan, except: notReadHere(cursors, await asking) } };
    else yield step;
  }
  const roles = await asking;
  const cursor = withRoles(ended, roles);
  const isRead = (folder: JsonObject) =>
    !NOT_READ_HERE.includes(roles[textOf(folder['id']) ?? ''] ?? '') && !isSearchFolder(folder);
  const there = entities.filter((entity) => !isRemoved(entity) && isRead(entity));
  for (const entity of topFirst(there)) yield folderEvent(entity, roles);
  const listed = new Set(there.flatMap(({ id }) => textOf(id) ?? []));
  const named = entities.filter(isRemoved).flatMap(({ id }) => textOf(id) ?? []);
  const unnamed = ends.length > 0 ? foldersOf(cursors).filter((id) => !listed.has(id)) : [];
  const removed = new Set([...named, ...unnamed]);
  for (const id of removed) yield* [...emptied(messageScope(object.id, id)), { type: 'removed', id } as const];
  yield* ends;
  return { listed, removed, cursor };
}

/** Folders that a scan of the folders does not list and that are no less there. */
function notReadHere(cursors: ReadonlyMap<string, string>, roles: Readonly<Record<string, string>>): string[] {
  const withRole = Object.keys(roles).filter((id) => NOT_READ_HERE.includes(roles[id] ?? ''));
  return [...new Set([...withRole, ...recoverableFoldersOf(cursors)])];
}

/** Folders of recoverable items whose messages were read before. */
export function recoverableFoldersOf(cursors: ReadonlyMap<string, string>): string[] {
  return [...cursors.keys()].flatMap((scope) => /^recoverable\/(.+)$/.exec(scope)?.[1] ?? []);
}

/** One that shows messages of other folders. */
const isSearchFolder = (folder: JsonObject) => /\.mailSearchFolder$/.test(textOf(folder['@odata.type']) ?? '');

/** Folders whose messages were read before. */
export function foldersOf(cursors: ReadonlyMap<string, string>): string[] {
  return [...cursors.keys()].flatMap((scope) => /^messages\/(.+)$/.exec(scope)?.[1] ?? []);
}

/** The messages of a folder as a collection that is read by delta. */
export function messageScope(user: string, folderId: string, query = ''): DeltaScope {
  return {
    scope: `messages/${folderId}`,
    path: `${path`/users/${user}/mailFolders/${folderId}/messages/delta`}?${query}`,
    headers: paged(200),
    kinds: ['message'],
    parentId: folderId,
    isRereadMonthly: true,
  };
}

/** Finds the roles of the well-known folders, by folder id. Folders that the mailbox does not have are left out. */
async function rolesOf(connection: GraphConnection, user: string, signal: AbortSignal) {
  const names = [...WELL_KNOWN, ...NOT_READ_HERE];
  const calls = names.map((name) => ({
    path: `${path`/users/${user}/mailFolders/${name}`}?$select=id`,
    headers: SINGLE,
  }));
  const replies = await connection.batch(calls, signal);
  const found = replies.flatMap((reply, index): [string, string][] => {
    const id = 'error' in reply ? undefined : textOf(objectOf(reply.body)['id']);
    // A name that a mailbox or cloud does not know is answered as one that is no id.
    if ('error' in reply && !isUnknownName(reply.error)) throw reply.error;
    return id === undefined ? [] : [[id, names[index] ?? '']];
  });
  return Object.fromEntries(found);
}

const isUnknownName = (error: unknown) => error instanceof GraphError && [400, 404].includes(error.status);

type CursorEvent = Extract<SourceEvent, { type: 'cursor' }>;

function withRoles(event: CursorEvent, roles: Readonly<Record<string, string>>): CursorEvent {
  const cursor = readCursor(event.value ?? undefined);
  return cursor === null ? event : { ...event, value: cursorText({ ...cursor, memory: roles }) };
}

function folderEvent(entity: JsonObject, roles: Readonly<Record<string, string>>): SourceEvent {
  const parent = textOf(entity['parentFolderId']) ?? null;
  const parentId = parent === null || roles[parent] === 'msgfolderroot' ? null : parent;
  const item = folderItem(entity, parentId, roles[textOf(entity['id']) ?? '']);
  return { type: 'item', item, contents: [propertiesOf(entity)] };
}

export function folderItem(entity: JsonObject, parentId: string | null, role: string | undefined): Item {
  return {
    id: textOf(entity['id']) ?? '',
    kind: 'mail-folder',
    parentId,
    name: textOf(entity['displayName']) ?? '',
    sizeBytes: 0,
    modifiedAt: null,
    details: withoutUndefined({ role }),
  };
}

/** Sorts folders so that each comes after its parents, as far as these are among them. */
function topFirst(entities: readonly JsonObject[]): JsonObject[] {
  const byId = new Map(entities.map((entity) => [textOf(entity['id']), entity]));
  const sorted = new Set<JsonObject>();
  const visit = (entity: JsonObject, above: ReadonlySet<JsonObject>) => {
    const parent = byId.get(textOf(entity['parentFolderId']));
    // A mailbox cannot contain a circle of folders; a vendor's mistake must not hang the run.
    if (parent !== undefined && !sorted.has(parent) && !above.has(parent)) visit(parent, new Set([...above, entity]));
    sorted.add(entity);
  };
  for (const entity of entities) visit(entity, new Set());
  return [...sorted];
}

import { EngineError } from '../../../model/engine-error.ts';
import type { Item } from '../../../model/items.ts';
import type { Scan, SourceContent, SourceEvent } from '../../source.ts';
import { type DeltaScope, emptied } from '../delta/delta.ts';
import { GraphError } from '../graph-error.ts';
import { dateOf, type JsonObject, objectsOf, textOf, textsOf } from '../json.ts';
import { propertiesOf } from '../read-items.ts';
import type { Reading } from '../reader.ts';
import { type Reply, repliesTo } from '../reading-failures.ts';
import type { ExchangeStream } from './exchange-stream.ts';
import { readFolderDelta } from './folder-deltas.ts';
import { paged, path, SINGLE } from './mailbox-paths.ts';
import { contactFolder, placeOf } from './mailbox-places.ts';
import { nonEmptyOrUndefined, withoutUndefined } from './people.ts';

/** Reads contact folders, listed in full every time (they are few), and their contacts by delta. */
export async function* readContacts(reading: Reading, stream: ExchangeStream): AsyncGenerator<SourceEvent> {
  const { request } = reading;
  const scan: Scan = { scope: 'contact-folders', kinds: ['contact-folder'] };
  const folders = await listFolders(reading);
  yield { type: 'scan-begin', scan, resumed: false };
  for (const folder of folders) {
    const item = folderItem(folder, folders);
    yield { type: 'item', item, contents: [propertiesOf(folder)] };
  }
  for (const { id } of folders) yield* readFolder(reading, contactScope(request.object.id, textOf(id) ?? ''), stream);
  const there = new Set(folders.map(({ id }) => `contacts/${textOf(id)}`));
  for (const scope of request.cursors.keys())
    if (scope.startsWith('contacts/') && !there.has(scope))
      yield* emptied(contactScope(request.object.id, scope.slice('contacts/'.length)));
  yield { type: 'scan-end', scan };
}

/** Lists the default folder, which no list of Graph includes, and those beside and below it, each after its parent. */
async function listFolders({ connection, request }: Reading): Promise<JsonObject[]> {
  const { object, signal } = request;
  const base = path`/users/${object.id}/contactFolders`;
  const standard = await connection.ask({ path: `${base}/contacts`, headers: SINGLE, signal });
  const found = new Map([[textOf(standard['id']) ?? '', standard]]);
  let above: JsonObject[] = [];
  for await (const { value } of connection.pages({ path: base, headers: paged(100), signal })) above.push(...value);
  while (above.length > 0) {
    const news = above.filter(({ id }) => !found.has(textOf(id) ?? ''));
    for (const folder of news) found.set(textOf(folder['id']) ?? '', folder);
    above = [];
    for (const { id } of news) {
      const below = `${base}/${encodeURIComponent(textOf(id) ?? '')}/childFolders`;
      for await (const { value } of connection.pages({ path: below, headers: paged(100), signal }))
        above.push(...value);
    }
  }
  return [...found.values()];
}

function contactScope(user: string, folderId: string): DeltaScope {
  return {
    scope: `contacts/${folderId}`,
    path: path`/users/${user}/contactFolders/${folderId}/contacts/delta`,
    headers: paged(100),
    kinds: ['contact'],
    parentId: folderId,
    isRereadMonthly: true,
  };
}

async function* readFolder(reading: Reading, delta: DeltaScope, stream: ExchangeStream): AsyncGenerator<SourceEvent> {
  const folder = contactFolder(reading.request.object.id, delta.parentId ?? '');
  for await (const step of readFolderDelta(reading, delta, folder)) {
    if (step.type !== 'there') yield step;
    else yield* await readEntities(reading, step.entities, delta.parentId ?? null, stream);
  }
}

async function readEntities(
  reading: Reading,
  entities: readonly JsonObject[],
  folderId: string | null,
  stream: ExchangeStream,
): Promise<SourceEvent[]> {
  const items = entities.map((entity) => ({ entity, item: contactItem(entity, folderId) }));
  const { failures, request } = reading;
  const exports = await stream.read(items.map(({ item }) => item));
  const photos = await photosOf(reading, items);
  const events = await Promise.all(
    items.map(async ({ entity, item }, index): Promise<SourceEvent[]> => {
      const place = placeOf(request.object.id, item);
      try {
        const contents = [...photoIn(photos[index]), ...(exports.get(item.id) ?? [])];
        failures.succeeded(place.container);
        return [{ type: 'item', item, contents: [propertiesOf(entity), ...contents] }];
      } catch (error) {
        return failures.eventsOf(item, error, place);
      }
    }),
  );
  return events.flat();
}

/** Asks for the photo of each: no property of a contact says whether there is one, and most have none. */
function photosOf({ connection, request }: Reading, items: readonly { item: Item }[]): Promise<Reply[]> {
  const calls = items.map(({ item }) => ({
    path: path`/users/${request.object.id}/contacts/${item.id}/photo/$value`,
    headers: SINGLE,
  }));
  return repliesTo(connection, calls, request.signal, { mayBeMissing: true });
}

/** The photo, if there is one. @throws why it is not known whether there is one */
function photoIn(reply: Reply | undefined): SourceContent[] {
  if (reply === undefined) throw new TypeError('A batch left a call unanswered.');
  if ('error' in reply) {
    if (reply.error instanceof GraphError && reply.error.status === 400) return [];
    throw reply.error;
  }
  if (reply.status === 404) return [];
  if (Buffer.isBuffer(reply.body)) return [{ name: 'attachments/photo', bytes: reply.body }];
  const message =
    'Microsoft 365 answered with something that is no photo of the contact. It is tried again with the next run.';
  throw new EngineError('source-refused', message, { isRetryable: true });
}

/** A contact that was lost before, asked for again. */
export async function readLostContact(
  reading: Reading,
  id: string,
  parentId: string | null,
  stream: ExchangeStream,
): Promise<SourceEvent[]> {
  const call = path`/users/${reading.request.object.id}/contacts/${id}`;
  const entity = await reading.connection.ask({ path: call, headers: SINGLE, signal: reading.request.signal });
  return readEntities(reading, [entity], textOf(entity['parentFolderId']) ?? parentId, stream);
}

function folderItem(folder: JsonObject, folders: readonly JsonObject[]): Item {
  const parent = textOf(folder['parentFolderId']) ?? null;
  const isBelow = folders.some(({ id }) => id === parent);
  return {
    id: textOf(folder['id']) ?? '',
    kind: 'contact-folder',
    parentId: isBelow ? parent : null,
    name: textOf(folder['displayName']) ?? '',
    sizeBytes: 0,
    modifiedAt: null,
    details: withoutUndefined({ role: folder === folders[0] ? 'default' : undefined }),
  };
}

function contactItem(contact: JsonObject, folderId: string | null): Item {
  const addresses = objectsOf(contact['emailAddresses']).flatMap(({ address }) => textOf(address) ?? []);
  return {
    id: textOf(contact['id']) ?? '',
    kind: 'contact',
    parentId: folderId,
    name: textOf(contact['displayName']) ?? addresses[0] ?? '',
    sizeBytes: Buffer.byteLength(JSON.stringify(contact)),
    modifiedAt: dateOf(contact['lastModifiedDateTime']),
    details: withoutUndefined({
      to: nonEmptyOrUndefined(addresses),
      createdAt: dateOf(contact['createdDateTime'])?.toISOString(),
      categories: nonEmptyOrUndefined(textsOf(contact['categories'])),
      itemClass: 'IPM.Contact',
      tag: textOf(contact['changeKey']),
    }),
  };
}

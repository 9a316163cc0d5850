import { inOrder } from '../../../model/in-order.ts';
import type { SourceEvent } from '../../source.ts';
import { type DeltaScope, emptied, isRemoved, readDelta } from '../delta.ts';
import { readCursor } from '../delta-cursor.ts';
import { isSyncStateGone } from '../graph-error.ts';
import { textOf } from '../json.ts';
import type { Reading } from '../reader.ts';
import type { ExchangeStream } from './exchange-stream.ts';
import { folderItem, messageScope } from './mail-folders.ts';
import { path, SINGLE } from './mailbox-paths.ts';
import { readMessages } from './message-contents.ts';
import { MESSAGE_QUERY, messageItem } from './message-item.ts';
import { asStored, groupsOf, isGone, propertiesOf } from './read-items.ts';

/** The one part of the recoverable items that Graph names; https://learn.microsoft.com/graph/api/resources/mailfolder */
export const RECOVERABLE = 'recoverableitemsdeletions';
const GROUP = 20;
const GROUPS_AT_ONCE = 2;

/**
 * What people removed from Deleted Items, while the mail server keeps it to be recovered. The folder is none of those that the round over the
 * folders tells of, so its cursor stands under a name of its own.
 */
export async function* readRecoverableItems(reading: Reading, stream: ExchangeStream): AsyncGenerator<SourceEvent> {
  const { connection, request, options } = reading;
  const known = [...request.cursors.keys()].flatMap((scope) => /^recoverable\/(.+)$/.exec(scope)?.[1] ?? []);
  const folder = options.recoverableItems === true ? await findFolder(reading) : null;
  const id = textOf(folder?.['id']);
  for (const gone of known.filter((one) => one !== id))
    yield* [...emptied(scopeOf(request.object.id, gone)), { type: 'removed', id: gone } as const];
  if (folder === null || id === undefined) return;
  yield { type: 'item', item: folderItem(folder, null, RECOVERABLE), contents: [propertiesOf(folder)] };
  const delta = scopeOf(request.object.id, id);
  const from = readCursor(request.cursors.get(delta.scope));
  try {
    yield* readChanges(reading, stream, delta, from);
  } catch (error) {
    if (!isSyncStateGone(error)) throw error;
    yield* readChanges(reading, stream, delta, { phase: 'rescan', link: null, askedMs: connection.clock.now() });
  }
}

const scopeOf = (user: string, folderId: string): DeltaScope => ({
  ...messageScope(user, folderId, MESSAGE_QUERY),
  scope: `recoverable/${folderId}`,
});

/** `null` where the mailbox has none. */
async function findFolder({ connection, request }: Reading) {
  const { object, signal } = request;
  const call = `${path`/users/${object.id}/mailFolders/${RECOVERABLE}`}?$select=id,displayName,parentFolderId,isHidden`;
  try {
    return await connection.ask({ path: call, headers: SINGLE, signal });
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
}

async function* readChanges(
  reading: Reading,
  stream: ExchangeStream,
  delta: DeltaScope,
  from: ReturnType<typeof readCursor>,
): AsyncGenerator<SourceEvent> {
  const folderId = delta.parentId ?? '';
  for await (const step of readDelta(reading.connection, delta, from, reading.request.signal)) {
    if (step.type !== 'page') {
      yield step;
      continue;
    }
    for (const id of step.values.filter(isRemoved).flatMap((entity) => textOf(entity['id']) ?? []))
      yield { type: 'removed', id, fromParentId: folderId };
    const messages = step.values
      .filter((entity) => !isRemoved(entity))
      .map((entity) => ({ item: messageItem(entity, folderId), entity }));
    async function* groups() {
      yield* groupsOf(messages, GROUP);
    }
    const read = async (group: typeof messages): Promise<SourceEvent[]> => {
      const stored = await reading.request.current(group.map(({ item }) => item.id));
      const isSame = ({ item }: (typeof messages)[number]) =>
        item.details.tag !== undefined && stored.get(item.id)?.details.tag === item.details.tag;
      const same = group.filter(isSame).flatMap(({ item }) => stored.get(item.id) ?? []);
      const news = group.filter((message) => !isSame(message));
      const read = await readMessages(reading, news, stream);
      return [...same.map((one) => asStored(one, folderId)), ...read.filter((event) => event !== null)];
    };
    for await (const events of inOrder(groups(), GROUPS_AT_ONCE, read)) yield* events;
  }
}

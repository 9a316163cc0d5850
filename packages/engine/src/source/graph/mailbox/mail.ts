import { inOrder } from '../../../model/in-order.ts';
import { SharedRoom } from '../../../model/shared-room.ts';
import type { SourceEvent } from '../../source.ts';
import { type DeltaStep, dueFrom, isRemoved, readDelta } from '../delta/delta.ts';
import { type DeltaToRead, inBatches, linkOf, readDeltas } from '../delta/delta-batches.ts';
import { readCursor } from '../delta/delta-cursor.ts';
import { isSyncStateGone } from '../graph-error.ts';
import { textOf } from '../json.ts';
import { asStored, groupsOf } from '../read-items.ts';
import type { Reading } from '../reader.ts';
import type { ExchangeStream } from './exchange-stream.ts';
import { type FolderRound, foldersOf, messageScope, readMailFolders } from './mail-folders.ts';
import { mailFolder } from './mailbox-places.ts';
import { type Message, readMessages } from './message-contents.ts';
import { MESSAGE_QUERY, messageItem } from './message-item.ts';

/** Messages whose contents are read together: one batch, and less of what is large, since all of it is buffered. */
const GROUP = 20;
const GROUP_BYTES = 4 * 2 ** 20;
/** Other events between them: of a thousand folders without a new message, most events are cursors. */
const GROUP_EVENTS = 200;
const FIRST_PAGES = 4;
/**
 * Groups that are read, or wait for one before them. Few at first and after a failure: a folder that is refused is given up only after all that is
 * under way was asked for. More as they succeed: with 12, a mailbox always has as many requests under way as it serves.
 */
const GROUPS_AT_ONCE = { least: 4, most: 12 };
/** For messages that are read and not stored yet, of all mailboxes of the process. Of each its MIME and its export are in memory. A reserve has room for a group. */
const SIZES = { room: 24 * 2 ** 20, share: 20 * 2 ** 20, reserve: GROUP_BYTES + 2 ** 21 };
/** A message without a size, and what is around each; one that is larger than the other is not held. */
const MESSAGE_BYTES_MIN = 8_192;
const MESSAGE_BYTES_MAX = 2 ** 20;
const messageRoom = new SharedRoom(SIZES);

/** Folders and messages of a mailbox, from their cursors on. */
export async function* readMail(reading: Reading, stream: ExchangeStream): AsyncGenerator<SourceEvent> {
  const round = yield* readMailFolders(reading);
  let isWhole = true;
  for await (const event of readMessageSteps(reading, messageSteps(reading, foldersToAsk(reading, round)), stream)) {
    isWhole &&= event.type !== 'failure';
    yield event;
  }
  // The round names a folder once: one that was not read is named again.
  if (isWhole) yield round.cursor;
}

/** Reads the messages that the deltas of folders report, with all their contents, in the order of the deltas. */
export async function* readMessageSteps(
  reading: Reading,
  steps: AsyncIterable<DeltaStep>,
  stream: ExchangeStream,
): AsyncGenerator<SourceEvent> {
  let atOnce = GROUPS_AT_ONCE.least;
  const ahead = { atOnce: () => atOnce, room: messageRoom, bytesOf: bytesOfUnit };
  for await (const events of inOrder(unitsOf(steps), ahead, (unit) => eventsOf(reading, unit, stream))) {
    yield* events;
    atOnce = events.some(isFailure) ? GROUPS_AT_ONCE.least : Math.min(atOnce + 1, GROUPS_AT_ONCE.most);
  }
}

const isFailure = ({ type }: SourceEvent) => type === 'failure' || type === 'lost';

function bytesOfUnit(unit: readonly Entry[]): number {
  const bytesOf = (entry: Entry) =>
    'message' in entry ? Math.min(MESSAGE_BYTES_MAX, Math.max(MESSAGE_BYTES_MIN, entry.message.item.sizeBytes)) : 0;
  return unit.reduce((sum, entry) => sum + bytesOf(entry), 0);
}

/** All of them: that a round over the folders names each in which something changed is documented nowhere. */
function foldersToAsk({ connection, request }: Reading, round: FolderRound): DeltaToRead[] {
  const ids = new Set([...round.listed, ...foldersOf(request.cursors)].filter((id) => !round.removed.has(id)));
  return [...ids].map((id) => {
    const delta = messageScope(request.object.id, id, MESSAGE_QUERY);
    const from = dueFrom(delta, readCursor(request.cursors.get(delta.scope)), connection.serverNow());
    return { container: mailFolder(request.object.id, id), delta, from };
  });
}

/**
 * Folders that are read for the first time begin with a page of 200 messages each: of these fewer are asked for at once, and the contents
 * of the first come sooner. A known folder that did not answer in a batch is asked once more alone.
 */
function messageSteps(reading: Reading, folders: readonly DeltaToRead[]): AsyncGenerator<DeltaStep> {
  const { connection, request } = reading;
  const isNew = ({ from }: DeltaToRead) => linkOf(from) === null;
  const known = folders.filter((folder) => !isNew(folder));
  const batches = [...groupsOf(folders.filter(isNew), FIRST_PAGES), ...inBatches(known)];
  return readDeltas(reading, batches, ({ delta, from }, error) =>
    from !== null && error.isRetryable && !isSyncStateGone(error)
      ? readDelta(connection, delta, from, request.signal)
      : null,
  );
}

/** A message to be read, or an event as it is. */
type Entry = { message: Message; isRescan: boolean } | { event: SourceEvent };

/** Groups what the folders report, in its order: the messages of a group are read together, whichever folders they are in. */
async function* unitsOf(steps: AsyncIterable<DeltaStep>): AsyncGenerator<Entry[]> {
  let unit: Entry[] = [];
  let messages = 0;
  let bytes = 0;
  for await (const entry of entriesOf(steps)) {
    unit.push(entry);
    if ('message' in entry) {
      messages += 1;
      bytes += entry.message.item.sizeBytes;
    }
    if (messages < GROUP && bytes < GROUP_BYTES && unit.length < GROUP_EVENTS) continue;
    yield unit;
    unit = [];
    messages = 0;
    bytes = 0;
  }
  if (unit.length > 0) yield unit;
}

async function* entriesOf(steps: AsyncIterable<DeltaStep>): AsyncGenerator<Entry> {
  let isRescan = false;
  for await (const step of steps) {
    if (step.type === 'scan-begin') isRescan = !step.resumed;
    if (step.type === 'scan-end') isRescan = false;
    if (step.type !== 'page') yield { event: step };
    else {
      const folderId = step.scope.parentId ?? '';
      const gone = step.values.filter(isRemoved).flatMap(({ id }) => textOf(id) ?? []);
      for (const id of gone) yield { event: { type: 'removed', id, fromParentId: folderId } };
      const there = step.values.filter((entity) => !isRemoved(entity));
      for (const entity of there) yield { message: { item: messageItem(entity, folderId), entity }, isRescan };
    }
  }
}

async function eventsOf(reading: Reading, unit: readonly Entry[], stream: ExchangeStream): Promise<SourceEvent[]> {
  const same = await unchanged(reading, unit);
  const messages = unit.flatMap((entry) => ('message' in entry && !same.has(entry) ? [entry.message] : []));
  const read = await readMessages(reading, messages, stream);
  const events = new Map(messages.map((message, index) => [message, read[index] ?? []]));
  return unit.flatMap((entry) =>
    'event' in entry ? entry.event : (same.get(entry) ?? events.get(entry.message) ?? []),
  );
}

/** Finds the messages that a rescan lists again and that did not change: they are not read again. */
async function unchanged({ request }: Reading, unit: readonly Entry[]): Promise<ReadonlyMap<Entry, SourceEvent>> {
  const again = unit.flatMap((entry) =>
    'message' in entry && entry.isRescan ? [{ entry, item: entry.message.item }] : [],
  );
  if (again.length === 0) return new Map();
  const stored = await request.current(again.map(({ item }) => item.id));
  return new Map(
    again.flatMap(({ entry, item }) => {
      const known = stored.get(item.id);
      const isSame = known !== undefined && known.details.tag === item.details.tag;
      return isSame ? [[entry, asStored(known, item.parentId)] as const] : [];
    }),
  );
}

import { inOrder } from '../../../model/in-order.ts';
import type { SourceEvent } from '../../source.ts';
import type { GraphPage } from '../connection.ts';
import { type DeltaScope, type DeltaStep, emptied, isRemoved, readDelta } from '../delta.ts';
import { type DeltaCursor, readCursor } from '../delta-cursor.ts';
import { type GraphError, isSyncStateGone } from '../graph-error.ts';
import { objectOf, objectsOf, textOf } from '../json.ts';
import type { Reading } from '../reader.ts';
import type { ExchangeStream } from './exchange-stream.ts';
import { type FolderRound, foldersOf, messageScope, readMailFolders } from './mail-folders.ts';
import { type Message, readMessages } from './message-contents.ts';
import { MESSAGE_QUERY, messageItem } from './message-item.ts';
import { asStored, groupsOf, isGone } from './read-items.ts';

/** Messages whose contents are read together: one batch, and less of what is large, since all of it is held in memory. */
const GROUP = 20;
const GROUP_BYTES = 4 * 2 ** 20;
/** Whatever else is told between them: of a thousand folders without a new message most events are cursors. */
const GROUP_EVENTS = 200;
const FIRST_PAGES = 4;
/** Groups under way at one time: as many as a mailbox serves requests. */
const GROUPS_AT_ONCE = 4;
/**
 * A folder that the round over the folders does not tell of is asked all the same when it was not asked for so long: the vendor does
 * not document that whatever changes in a folder makes the folder show up.
 */
const ASK_ALL_AFTER_MS = 3_600_000;

/** Folders and messages of a mailbox, from their cursors on. */
export async function* readMail(reading: Reading, stream: ExchangeStream): AsyncGenerator<SourceEvent> {
  const round = yield* readMailFolders(reading);
  const steps = messageSteps(reading, foldersToAsk(reading, round));
  for await (const events of inOrder(unitsOf(steps), GROUPS_AT_ONCE, (unit) => eventsOf(reading, unit, stream)))
    yield* events;
  yield round.cursor;
}

interface FolderToAsk {
  delta: DeltaScope;
  from: DeltaCursor | null;
}

function foldersToAsk({ connection, request }: Reading, round: FolderRound): FolderToAsk[] {
  const ids = new Set([...round.told, ...foldersOf(request.cursors)].filter((id) => !round.removed.has(id)));
  const soonMs = connection.clock.now() - ASK_ALL_AFTER_MS;
  return [...ids].flatMap((id) => {
    const delta = messageScope(request.object.id, id, MESSAGE_QUERY);
    const from = readCursor(request.cursors.get(delta.scope));
    const isQuiet = from?.phase === 'round' && from.askedMs > soonMs && !round.told.has(id);
    return isQuiet ? [] : [{ delta, from }];
  });
}

/**
 * Where each folder goes on is asked for in batches, so that 500 folders take 25 requests on the wire. Those that are read for the
 * first time begin with a page of 200 messages each: of these fewer are asked for at once, and the contents of the first come sooner.
 */
async function* messageSteps(reading: Reading, folders: readonly FolderToAsk[]): AsyncGenerator<DeltaStep> {
  const { connection, request } = reading;
  async function* groups() {
    const isNew = ({ from }: FolderToAsk) => linkOf(from) === null;
    yield* groupsOf(folders.filter(isNew), FIRST_PAGES);
    yield* groupsOf(
      folders.filter((folder) => !isNew(folder)),
      GROUP,
    );
  }
  const firsts = inOrder(groups(), 2, async (group) => {
    const calls = group.map(({ delta, from }) => ({ path: linkOf(from) ?? delta.path, headers: delta.headers }));
    const replies = await connection.batch(calls, request.signal);
    return group.map((folder, at) => ({ folder, reply: replies[at] }));
  });
  for await (const group of firsts) {
    for (const { folder, reply } of group) {
      const { delta, from } = folder;
      if (reply === undefined || 'error' in reply) yield* afterRefusal(reading, folder, reply?.error);
      else yield* readDelta(connection, delta, from, request.signal, pageOf(reply.body));
    }
  }
}

/** A folder that went meanwhile is empty; one that lost its place begins anew. @throws any other refusal */
async function* afterRefusal(
  { connection, request }: Reading,
  { delta, from }: FolderToAsk,
  error: GraphError | undefined,
): AsyncGenerator<DeltaStep> {
  if (error === undefined) throw new TypeError('A batch left a call unanswered.');
  if (isGone(error)) yield* emptied(delta);
  else if (isSyncStateGone(error))
    yield* readDelta(connection, delta, { phase: 'rescan', link: null, askedMs: 0 }, request.signal);
  else if (from !== null && error.isRetryable) yield* readDelta(connection, delta, from, request.signal);
  else throw error;
}

const linkOf = (from: DeltaCursor | null) => (from?.phase === 'rescan' ? null : (from?.link ?? null));

function pageOf(body: unknown): GraphPage {
  const { value, ...links } = objectOf(body);
  return {
    value: objectsOf(value),
    nextLink: textOf(links['@odata.nextLink']) ?? null,
    deltaLink: textOf(links['@odata.deltaLink']) ?? null,
  };
}

/** A message to be read, or an event as it is. */
type Told = { message: Message; isRescan: boolean } | { event: SourceEvent };

/** What the folders tell, in its order, in groups of which the messages are read together, whichever folders they are in. */
async function* unitsOf(steps: AsyncIterable<DeltaStep>): AsyncGenerator<Told[]> {
  let unit: Told[] = [];
  let messages = 0;
  let bytes = 0;
  for await (const told of toldOf(steps)) {
    unit.push(told);
    if ('message' in told) {
      messages += 1;
      bytes += told.message.item.sizeBytes;
    }
    if (messages < GROUP && bytes < GROUP_BYTES && unit.length < GROUP_EVENTS) continue;
    yield unit;
    unit = [];
    messages = 0;
    bytes = 0;
  }
  if (unit.length > 0) yield unit;
}

async function* toldOf(steps: AsyncIterable<DeltaStep>): AsyncGenerator<Told> {
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

async function eventsOf(reading: Reading, unit: readonly Told[], stream: ExchangeStream): Promise<SourceEvent[]> {
  const same = await unchanged(reading, unit);
  const messages = unit.flatMap((told) => ('message' in told && !same.has(told) ? [told.message] : []));
  const read = await readMessages(reading, messages, stream);
  const events = new Map(messages.map((message, at) => [message, read[at] ?? null]));
  return unit.flatMap((told) => {
    const event = 'event' in told ? told.event : (same.get(told) ?? events.get(told.message) ?? null);
    return event === null ? [] : [event];
  });
}

/** What is told anew and did not change is not read anew. */
async function unchanged({ request }: Reading, unit: readonly Told[]): Promise<ReadonlyMap<Told, SourceEvent>> {
  const again = unit.flatMap((told) => ('message' in told && told.isRescan ? [{ told, item: told.message.item }] : []));
  if (again.length === 0) return new Map();
  const stored = await request.current(again.map(({ item }) => item.id));
  return new Map(
    again.flatMap(({ told, item }) => {
      const known = stored.get(item.id);
      const isSame = known !== undefined && known.details.tag === item.details.tag;
      return isSame ? [[told, asStored(known, item.parentId)] as const] : [];
    }),
  );
}

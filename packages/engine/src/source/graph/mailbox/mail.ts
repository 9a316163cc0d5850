import type { EngineError } from '../../../model/engine-error.ts';
import { inOrder } from '../../../model/in-order.ts';
import type { SourceEvent } from '../../source.ts';
import type { GraphPage } from '../connection.ts';
import { asFarAsItGoes } from '../container-delta.ts';
import { type DeltaScope, type DeltaStep, isRemoved, readDelta } from '../delta.ts';
import { type DeltaCursor, readCursor } from '../delta-cursor.ts';
import { isSyncStateGone } from '../graph-error.ts';
import { type JsonObject, objectOf, objectsOf, textOf } from '../json.ts';
import type { Reading } from '../reader.ts';
import { repliesTo } from '../reading-failures.ts';
import type { ExchangeStream } from './exchange-stream.ts';
import { type FolderRound, foldersOf, messageScope, readMailFolders } from './mail-folders.ts';
import { mailFolder } from './mailbox-places.ts';
import { readMessages } from './message-contents.ts';
import { MESSAGE_QUERY, messageItem } from './message-item.ts';
import { asStored, groupsOf } from './read-items.ts';

/** Messages whose contents are read together: one batch. */
const GROUP = 20;
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
  let isWhole = true;
  const steps = messageSteps(reading, foldersToAsk(reading, round));
  for await (const events of inOrder(unitsOf(steps), GROUPS_AT_ONCE, (unit) => eventsOf(reading, unit, stream)))
    for (const event of events) {
      isWhole &&= event.type !== 'failure';
      yield event;
    }
  // The round names a folder once: one that was not read is named again.
  if (isWhole) yield round.cursor;
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

/** Where each folder begins is asked for in batches, so that 500 folders take 25 requests on the wire. */
async function* messageSteps(reading: Reading, folders: readonly FolderToAsk[]): AsyncGenerator<DeltaStep> {
  const { connection, request } = reading;
  async function* groups() {
    yield* groupsOf(folders, GROUP);
  }
  const firsts = inOrder(groups(), 2, async (group) => {
    const calls = group.map(({ delta, from }) => ({ path: linkOf(from) ?? delta.path, headers: delta.headers }));
    const replies = await repliesTo(connection, calls, request.signal);
    return group.map((folder, at) => ({ folder, reply: replies[at] }));
  });
  for await (const group of firsts) {
    for (const { folder, reply } of group) {
      const { delta, from } = folder;
      const steps =
        reply === undefined || 'error' in reply
          ? afterRefusal(reading, folder, reply?.error)
          : readDelta(connection, delta, from, request.signal, pageOf(reply.body));
      yield* asFarAsItGoes(reading, delta, mailFolder(request.object.id, delta.parentId ?? ''), steps);
    }
  }
}

/** A folder that lost its place begins anew. @throws any other refusal */
async function* afterRefusal(
  { connection, request }: Reading,
  { delta, from }: FolderToAsk,
  error: EngineError | undefined,
): AsyncGenerator<DeltaStep> {
  if (error === undefined) throw new TypeError('A batch left a call unanswered.');
  if (isSyncStateGone(error))
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

/** Messages to read together, or events as they are. */
type Unit = { folderId: string; isRescan: boolean; entities: JsonObject[] } | { events: SourceEvent[] };

async function* unitsOf(steps: AsyncIterable<DeltaStep>): AsyncGenerator<Unit> {
  let isRescan = false;
  for await (const step of steps) {
    if (step.type === 'scan-begin') isRescan = !step.resumed;
    if (step.type === 'scan-end') isRescan = false;
    if (step.type !== 'page') yield { events: [step] };
    else {
      const folderId = step.scope.parentId ?? '';
      const gone = step.values.filter(isRemoved).flatMap(({ id }) => textOf(id) ?? []);
      if (gone.length > 0) yield { events: gone.map((id) => ({ type: 'removed', id, fromParentId: folderId })) };
      const there = step.values.filter((entity) => !isRemoved(entity));
      for (const entities of groupsOf(there, GROUP)) yield { folderId, isRescan, entities };
    }
  }
}

async function eventsOf(reading: Reading, unit: Unit, stream: ExchangeStream): Promise<SourceEvent[]> {
  if ('events' in unit) return unit.events;
  const messages = unit.entities.map((entity) => ({ item: messageItem(entity, unit.folderId), entity }));
  if (!unit.isRescan) return readMessages(reading, messages, stream);
  // What is told anew and did not change is not read anew.
  const stored = await reading.request.current(messages.map(({ item }) => item.id));
  const same = messages.flatMap(({ item }) => {
    const known = stored.get(item.id);
    return known !== undefined && known.details.tag === item.details.tag ? [asStored(known, unit.folderId)] : [];
  });
  const told = new Set(same.flatMap((event) => (event.type === 'item' ? [event.item.id] : [])));
  const news = messages.filter(({ item }) => !told.has(item.id));
  return [...same, ...(await readMessages(reading, news, stream))];
}

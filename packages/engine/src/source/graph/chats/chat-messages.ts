import type { SourceEvent } from '../../source.ts';
import type { GraphPage } from '../connection.ts';
import { cursorText, type DeltaCursor, readCursor } from '../delta/delta-cursor.ts';
import { GraphError, isNotOffered } from '../graph-error.ts';
import { textOf } from '../json.ts';
import { path } from '../mailbox/mailbox-paths.ts';
import { groupsOf, isGone } from '../read-items.ts';
import type { Reading } from '../reader.ts';
import { messageEvents } from '../team/message-events.ts';
import { type MessagePlace, placeOfMessage } from '../team/message-item.ts';

const SCOPE = 'messages';
const PAGE = 50;
/** Clocks differ, and new messages appear with a delay: each round asks again for this much of the one before. */
const OVERLAP_MS = 10 * 60_000;
/** Messages looked up in the catalog at one time. */
const GROUP = 500;

/**
 * Messages of all chats of a person. Chats have no delta: a round asks for what changed since the last one began, in one request for all chats
 * where the tenant answers it (https://learn.microsoft.com/graph/api/chats-getallmessages, which the vendor charges for), else
 * chat by chat. What people delete stays as a message without text, so nothing vanishes.
 */
export async function* readChatMessages(
  reading: Reading,
  chatIds: readonly string[],
  placeOf: (chatId: string) => MessagePlace,
): AsyncGenerator<SourceEvent> {
  const { connection, request } = reading;
  const from = readCursor(request.cursors.get(SCOPE));
  const askedMs = from?.phase === 'scan' ? from.askedMs : connection.serverNow();
  let isWhole = true;
  for await (const page of pagesOf(reading, chatIds, placeOf, from)) {
    if ('type' in page) {
      isWhole = false;
      yield page;
      continue;
    }
    const { value, nextLink, isOfAll } = page;
    for (const group of groupsOf(value, GROUP)) {
      const messages = group.flatMap((entity) => {
        const chatId = textOf(entity['chatId']);
        return chatId === undefined ? [] : [{ entity, place: placeOf(chatId) }];
      });
      yield* await messageEvents(reading, messages);
    }
    // The first round resumes at a page; later ones are short and start from the beginning.
    if (isOfAll && nextLink !== null && from?.phase !== 'round')
      yield cursorEvent({ phase: 'scan', link: nextLink, askedMs });
  }
  // The cursor does not move when a chat failed, so that its messages are asked for again.
  if (isWhole) yield cursorEvent({ phase: 'round', link: null, askedMs });
}

const cursorEvent = (cursor: DeltaCursor): SourceEvent => ({
  type: 'cursor',
  scope: SCOPE,
  value: cursorText(cursor),
});

type MessagePage = GraphPage & { isOfAll: boolean };

async function* pagesOf(
  { connection, request, failures }: Reading,
  chatIds: readonly string[],
  placeOf: (chatId: string) => MessagePlace,
  from: DeltaCursor | null,
): AsyncGenerator<MessagePage | SourceEvent> {
  const { object, signal } = request;
  const user = path`/users/${object.id}/chats`;
  const filter = from?.phase === 'round' ? `&${changedSince(from.askedMs - OVERLAP_MS)}` : '';
  const all = from?.phase === 'scan' ? from.link : null;
  try {
    const call = { path: all ?? `${user}/getAllMessages?$top=${PAGE}${filter}`, signal };
    for await (const page of connection.pages(call)) yield { ...page, isOfAll: true };
    return;
  } catch (error) {
    if (!isNotGiven(error)) throw error;
  }
  for (const id of chatIds) {
    // Graph accepts a filter by time only together with an order by the same time.
    const order = filter === '' ? '' : `${filter}&$orderby=lastModifiedDateTime desc`;
    const call = { path: `${user}/${encodeURIComponent(id)}/messages?$top=${PAGE}${order}`, signal };
    try {
      for await (const page of connection.pages(call)) yield { ...page, isOfAll: false };
    } catch (error) {
      const { container } = placeOfMessage(placeOf(id), '');
      if (!isGone(error) || !(await failures.isContainerGone(container)))
        yield await failures.containerFailed(container, error);
    }
  }
}

const changedSince = (ms: number) => `$filter=lastModifiedDateTime gt ${new Date(ms).toISOString()}`;

/** The tenant pays for no export of chats (402), or the application has no permission for it. */
const isNotGiven = (error: unknown) =>
  (error instanceof GraphError && [402, 403].includes(error.status)) || isNotOffered(error);

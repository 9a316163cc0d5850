import type { Item } from '../../../model/items.ts';
import type { SourceEvent } from '../../source.ts';
import { emptied } from '../delta/delta.ts';
import { instantOf, type JsonObject, objectsOf, textOf } from '../json.ts';
import { path } from '../mailbox/mailbox-paths.ts';
import { some, told } from '../mailbox/people.ts';
import type { Reading } from '../reader.ts';
import { type ScannedEntity, scanIfChanged, without } from '../scan-if-changed.ts';
import { readLostMessages } from '../team/lost-messages.ts';
import type { MessagePlace } from '../team/message-item.ts';
import { readChatMessages } from './chat-messages.ts';

/** The chats of a person: who is in them, and what was said. */
export async function* readChats(reading: Reading): AsyncGenerator<SourceEvent> {
  const { connection, request } = reading;
  const { object, cursors, signal } = request;
  const call = { path: `${path`/users/${object.id}/chats`}?$expand=members&$top=50`, signal };
  const chats: ScannedEntity[] = [];
  for await (const { value } of connection.pages(call)) chats.push(...value.map(toldChat));
  const there = new Set(chats.map(({ item }) => item.id));
  for (const scope of cursors.keys()) {
    const id = /^chat\/(.+)$/.exec(scope)?.[1];
    if (id !== undefined && !there.has(id)) yield* goneChat(id);
  }
  yield* scanIfChanged(request, { scope: 'chats', kinds: ['chat'] }, chats);
  // A mark for each, so that the messages of one the person left can be told as gone.
  for (const id of there) if (!cursors.has(`chat/${id}`)) yield { type: 'cursor', scope: `chat/${id}`, value: 'there' };
  const place = (chatId: string): MessagePlace => placeIn(object.id, chatId);
  yield* readChatMessages(reading, [...there], place);
  yield* readLostMessages(reading, place);
}

function placeIn(user: string, chatId: string): MessagePlace {
  return { kind: 'chat-message', conversationId: chatId, path: path`/users/${user}/chats/${chatId}`, postId: null };
}

function* goneChat(id: string): Generator<SourceEvent> {
  yield* emptied({ scope: `messages/${id}`, path: '', headers: {}, kinds: ['chat-message'], parentId: id });
  yield { type: 'cursor', scope: `chat/${id}`, value: null };
}

function toldChat(chat: JsonObject): ScannedEntity {
  // It changes with every message.
  const entity = without(chat, 'lastUpdatedDateTime', 'viewpoint', 'members@odata.context');
  return { entity, item: chatItem(entity) };
}

/** A chat, named by its topic or else by who is in it. */
function chatItem(chat: JsonObject): Item {
  const id = textOf(chat['id']) ?? '';
  const names = objectsOf(chat['members']).flatMap(
    ({ displayName, email }) => textOf(displayName) ?? textOf(email) ?? [],
  );
  return {
    id,
    kind: 'chat',
    parentId: null,
    name: textOf(chat['topic']) ?? (names.length > 0 ? names.join(', ') : id),
    sizeBytes: 0,
    modifiedAt: null,
    details: told({
      role: textOf(chat['chatType']),
      to: some(names),
      createdAt: instantOf(chat['createdDateTime']),
      webUrl: textOf(chat['webUrl']),
    }),
  };
}

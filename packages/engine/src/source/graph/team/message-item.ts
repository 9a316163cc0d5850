import type { Item, ItemKind } from '../../../model/items.ts';
import { identityOf } from '../identity-set.ts';
import { dateOf, instantOf, type JsonObject, objectOf, objectsOf, textOf } from '../json.ts';
import { nonEmptyOrUndefined, withoutUndefined } from '../mailbox/people.ts';
import type { ItemPlace } from '../reading-failures.ts';
import { messageName } from './message-name.ts';

/** Where a message is, and so what it is. Ids of messages are unique in their conversation alone. */
export interface MessagePlace {
  kind: Extract<ItemKind, 'post' | 'reply' | 'chat-message'>;
  /** The channel or chat. Replies are in the channel too, so that everything in a deleted channel can be reported as gone. */
  conversationId: string;
  /** Of the conversation, without the message: `/teams/42/channels/7`. */
  path: string;
  /** Of a reply: the post it belongs to. */
  postId: string | null;
}

export function messageId({ conversationId, postId }: MessagePlace, id: string): string {
  return postId === null ? `${conversationId}/messages/${id}` : `${conversationId}/messages/${postId}/replies/${id}`;
}

/** Where a message is asked for. */
export function messagePath({ path, postId }: MessagePlace, id: string): string {
  const message = encodeURIComponent(id);
  return postId === null
    ? `${path}/messages/${message}`
    : `${path}/messages/${encodeURIComponent(postId)}/replies/${message}`;
}

/** Where a message is asked for itself, and the container it is in. */
export function placeOfMessage(place: MessagePlace, id: string): ItemPlace {
  const noun = place.kind === 'chat-message' ? 'chat' : 'channel';
  return { container: { noun, id: place.conversationId, path: place.path }, entity: { path: messagePath(place, id) } };
}

/** Post (`null` for what is none) and number of a message's id in a conversation; `null` for an id that is no message's. */
export function messageOfId(id: string): { conversationId: string; postId: string | null; id: string } | null {
  const [, conversationId, first, second] = /^(.+?)\/messages\/([^/]+)(?:\/replies\/([^/]+))?$/.exec(id) ?? [];
  if (conversationId === undefined || first === undefined) return null;
  return second === undefined
    ? { conversationId, postId: null, id: first }
    : { conversationId, postId: first, id: second };
}

/** A post, a reply or a message of a chat; https://learn.microsoft.com/graph/api/resources/chatmessage */
export function messageItem(entity: JsonObject, place: MessagePlace): Item {
  const attachments = objectsOf(entity['attachments']);
  const names = attachments.flatMap(({ name }) => textOf(name) ?? []);
  const content = textOf(objectOf(entity['body'])['content']) ?? '';
  return {
    id: messageId(place, textOf(entity['id']) ?? ''),
    kind: place.kind,
    parentId: place.conversationId,
    name: messageName(entity),
    sizeBytes: Buffer.byteLength(content),
    modifiedAt: dateOf(entity['lastModifiedDateTime']),
    details: withoutUndefined({
      from: identityOf(entity['from']),
      sentAt: instantOf(entity['createdDateTime']),
      createdAt: instantOf(entity['createdDateTime']),
      hasAttachments: attachments.length > 0 ? true : undefined,
      attachmentNames: nonEmptyOrUndefined(names),
      importance: textOf(entity['importance']),
      itemClass: textOf(entity['messageType']),
      webUrl: textOf(entity['webUrl']),
      tag: textOf(entity['etag']) ?? textOf(entity['lastModifiedDateTime']),
    }),
  };
}

/**
 * Finds the pictures and code that Teams stores with the message: its text and its cards name them by their address.
 * https://learn.microsoft.com/graph/api/resources/chatmessagehostedcontent
 */
export function hostedIdsOf(entity: JsonObject): string[] {
  const cards = objectsOf(entity['attachments']).map(({ content }) => textOf(content) ?? '');
  const texts = [textOf(objectOf(entity['body'])['content']) ?? '', ...cards];
  const ids = texts.flatMap((text) =>
    [...text.matchAll(/\/hostedContents\/([^/"'\\]+)\/\$value/g)].flatMap(([, id]) => id ?? []),
  );
  return [...new Set(ids.map(decodeURIComponent))];
}

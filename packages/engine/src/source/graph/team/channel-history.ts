import type { SourceEvent } from '../../source.ts';
import { type JsonObject, objectsOf, textOf } from '../json.ts';
import type { Reading } from '../reader.ts';
import { messageEvents, type ToldMessage } from './message-events.ts';
import type { MessagePlace } from './message-item.ts';
import { channelPath } from './team-parts.ts';

const DONE = 'done';

export const historyScope = (channelId: string): string => `history/${channelId}`;

/**
 * All posts of a channel with their replies, once: its delta goes back eight months only
 * (https://learn.microsoft.com/graph/api/chatmessage-delta). The cursor is the next page, and in the end a word.
 */
export async function* readHistory(reading: Reading, channelId: string): AsyncGenerator<SourceEvent> {
  const { connection, request } = reading;
  const scope = historyScope(channelId);
  const cursor = request.cursors.get(scope);
  if (cursor === DONE) return;
  const path = cursor ?? `${channelPath(request.object.id, channelId)}/messages?$top=50&$expand=replies`;
  for await (const { value, nextLink } of connection.pages({ path, signal: request.signal })) {
    for (const post of value) yield* await threadEvents(reading, post, channelId);
    yield { type: 'cursor', scope, value: nextLink ?? DONE };
  }
}

/** A post with its replies, of which the first come with it and the rest by a link. */
async function threadEvents(reading: Reading, post: JsonObject, channelId: string): Promise<SourceEvent[]> {
  const { connection, request } = reading;
  const replies = objectsOf(post['replies']);
  const next = textOf(post['replies@odata.nextLink']);
  if (next !== undefined) {
    for await (const { value } of connection.pages({ path: next, signal: request.signal })) replies.push(...value);
  }
  return messageEvents(reading, thread(request.object.id, channelId, post, replies));
}

export function thread(
  teamId: string,
  channelId: string,
  post: JsonObject,
  replies: readonly JsonObject[],
): ToldMessage[] {
  const ofPost = placeIn(teamId, channelId, null);
  const ofReply = placeIn(teamId, channelId, textOf(post['id']) ?? '');
  return [{ entity: post, place: ofPost }, ...replies.map((entity) => ({ entity, place: ofReply }))];
}

export function placeIn(teamId: string, channelId: string, postId: string | null): MessagePlace {
  const kind = postId === null ? 'post' : 'reply';
  return { kind, conversationId: channelId, path: channelPath(teamId, channelId), postId };
}

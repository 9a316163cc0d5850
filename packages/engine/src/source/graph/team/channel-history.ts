import type { SourceEvent } from '../../source.ts';
import type { GraphConnection, GraphPage } from '../connection.ts';
import { GraphError } from '../graph-error.ts';
import { type JsonObject, objectsOf, textOf } from '../json.ts';
import { isGone } from '../read-items.ts';
import type { Reading } from '../reader.ts';
import { type ListedMessage, messageEvents } from './message-events.ts';
import { type MessagePlace, messageItem, placeOfMessage } from './message-item.ts';
import { channelContainer, channelPath } from './team-parts.ts';

const DONE = 'done';

export const historyScope = (channelId: string): string => `history/${channelId}`;

/**
 * All posts of a channel with their replies, once: its delta goes back eight months only
 * (https://learn.microsoft.com/graph/api/chatmessage-delta). The cursor is the next page, and in the end a word.
 */
export async function* readHistory(reading: Reading, channelId: string): AsyncGenerator<SourceEvent> {
  const { connection, request, failures } = reading;
  const scope = historyScope(channelId);
  const cursor = request.cursors.get(scope);
  if (cursor === DONE) return;
  const start = `${channelPath(request.object.id, channelId)}/messages?$top=50&$expand=replies`;
  const channel = channelContainer(request.object.id, channelId);
  try {
    for await (const { value, nextLink } of pagesFrom(connection, cursor, start, request.signal)) {
      for (const post of value) yield* await threadEvents(reading, post, channelId);
      const why = failures.whyGivenUp(channel);
      if (why !== null) throw why;
      yield { type: 'cursor', scope, value: nextLink ?? DONE };
    }
  } catch (error) {
    if (isGone(error) && (await failures.isContainerGone(channel))) return;
    yield await failures.containerFailed(channel, error);
  }
}

/** The pages from a link of an earlier run on; should that have expired, from the beginning. */
async function* pagesFrom(
  connection: GraphConnection,
  link: string | undefined,
  start: string,
  signal: AbortSignal,
): AsyncGenerator<GraphPage> {
  const first = link === undefined ? null : await connection.page({ path: link, signal }).catch(expired);
  const page = first ?? (await connection.page({ path: start, signal }));
  yield page;
  if (page.nextLink !== null) yield* connection.pages({ path: page.nextLink, signal });
}

/** How a link is refused that leads nowhere any more is documented nowhere. */
function expired(error: unknown): null {
  if (error instanceof GraphError && [400, 410].includes(error.status)) return null;
  throw error;
}

/** A post with its replies, of which the first come with it and the rest by a link. */
async function threadEvents(reading: Reading, post: JsonObject, channelId: string): Promise<SourceEvent[]> {
  const { connection, request } = reading;
  const first = objectsOf(post['replies']);
  const next = textOf(post['replies@odata.nextLink']);
  return threadsOf(reading, channelId, [post], async () => {
    const replies = [...first];
    if (next === undefined) return replies;
    for await (const { value } of connection.pages({ path: next, signal: request.signal })) replies.push(...value);
    return replies;
  });
}

/**
 * The events of posts with their replies. A post whose replies cannot be read is stored, and reported as lost until they can.
 * @param repliesOf reads the replies of the post with that index
 */
export async function threadsOf(
  reading: Reading,
  channelId: string,
  posts: readonly JsonObject[],
  repliesOf: (index: number) => Promise<JsonObject[]>,
): Promise<SourceEvent[]> {
  const { failures, request } = reading;
  const placeOfPosts = placeIn(request.object.id, channelId, null);
  const threads = await Promise.all(
    posts.map(async (post, index) => {
      const place = placeOfMessage(placeOfPosts, textOf(post['id']) ?? '');
      try {
        const replies = await repliesOf(index);
        failures.succeeded(place.container);
        return { messages: thread(request.object.id, channelId, post, replies), lost: [] };
      } catch (error) {
        const lost = await failures.eventsOf(messageItem(post, placeOfPosts), error, place);
        return { messages: lost.length > 0 ? thread(request.object.id, channelId, post, []) : [], lost };
      }
    }),
  );
  const events = await messageEvents(
    reading,
    threads.flatMap(({ messages }) => messages),
  );
  return [...events, ...threads.flatMap(({ lost }) => lost)];
}

function thread(teamId: string, channelId: string, post: JsonObject, replies: readonly JsonObject[]): ListedMessage[] {
  const ofPost = placeIn(teamId, channelId, null);
  const ofReply = placeIn(teamId, channelId, textOf(post['id']) ?? '');
  return [{ entity: post, place: ofPost }, ...replies.map((entity) => ({ entity, place: ofReply }))];
}

export function placeIn(teamId: string, channelId: string, postId: string | null): MessagePlace {
  const kind = postId === null ? 'post' : 'reply';
  return { kind, conversationId: channelId, path: channelPath(teamId, channelId), postId };
}

import type { SourceEvent } from '../../source.ts';
import type { JsonObject } from '../json.ts';
import { groupsOf } from '../read-items.ts';
import type { Reading } from '../reader.ts';
import { repliesTo } from '../reading-failures.ts';
import { bodyOfReply } from '../whole-list.ts';
import { messageEvents, unreadableOf } from './message-events.ts';
import { type MessagePlace, messageOfId, messagePath, placeOfMessage } from './message-item.ts';

const GROUP = 20;

/**
 * Retries messages that earlier runs could not read. One whose pictures cannot be read is stored without them, and stays reported as lost; a
 * post comes with its replies, for which it may have been lost.
 */
export async function* readLostMessages(
  reading: Reading,
  placeOf: (conversationId: string, postId: string | null) => MessagePlace,
): AsyncGenerator<SourceEvent> {
  const { connection, request, failures } = reading;
  const lost = request.lost.flatMap((item) => {
    const found = messageOfId(item.id);
    return found === null ? [] : [{ item, id: found.id, place: placeOf(found.conversationId, found.postId) }];
  });
  for (const group of groupsOf(lost, GROUP)) {
    const calls = group.map(({ place, id }) => ({ path: messagePath(place, id) }));
    const replies = await repliesTo(connection, calls, request.signal);
    for (const [index, { item, place, id }] of group.entries()) {
      try {
        const message = { entity: bodyOfReply(replies[index]), place };
        const answers = place.kind === 'post' ? await repliesOf(reading, place, id) : [];
        const { ids, reason } = await unreadableOf(reading, message);
        yield* await messageEvents(reading, [message], ids);
        yield* await messageEvents(reading, answers);
        if (ids.size > 0) yield await failures.stillLost(item, reason, placeOfMessage(place, id));
      } catch (error) {
        yield await failures.stillLost(item, error, placeOfMessage(place, id));
      }
    }
  }
}

async function repliesOf({ connection, request }: Reading, ofPost: MessagePlace, postId: string) {
  const place: MessagePlace = { ...ofPost, kind: 'reply', postId };
  const found: { entity: JsonObject; place: MessagePlace }[] = [];
  const path = `${messagePath(ofPost, postId)}/replies?$top=50`;
  for await (const { value } of connection.pages({ path, signal: request.signal }))
    found.push(...value.map((entity) => ({ entity, place })));
  return found;
}

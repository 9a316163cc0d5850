import type { LostItem } from '../../../model/outcome.ts';
import type { SourceEvent } from '../../source.ts';
import { concernsAll, groupsOf, isGone } from '../mailbox/read-items.ts';
import type { Reading } from '../reader.ts';
import { bodyOfReply } from '../whole-list.ts';
import { messageEvents } from './message-events.ts';
import { type MessagePlace, messageOfId, messagePath } from './message-item.ts';

const GROUP = 20;

/** Messages that earlier runs could not read, tried again without their pictures: one of those may be what could not be had. */
export async function* readLostMessages(
  reading: Reading,
  placeOf: (conversationId: string, postId: string | null) => MessagePlace,
): AsyncGenerator<SourceEvent> {
  const { connection, request } = reading;
  const lost = request.lost.flatMap((item) => {
    const found = messageOfId(item.id);
    return found === null ? [] : [{ item, id: found.id, place: placeOf(found.conversationId, found.postId) }];
  });
  for (const group of groupsOf(lost, GROUP)) {
    const calls = group.map(({ place, id }) => ({ path: messagePath(place, id) }));
    const replies = await connection.batch(calls, request.signal);
    for (const [at, { item, place }] of group.entries()) {
      try {
        yield* await messageEvents(reading, [{ entity: bodyOfReply(replies[at]), place }], false);
      } catch (error) {
        yield stillLost(item, error);
      }
    }
  }
}

/** @throws what the next message would meet too */
function stillLost(item: LostItem, error: unknown): SourceEvent {
  if (isGone(error)) return { type: 'removed', id: item.id };
  if (concernsAll(error)) throw error;
  return { type: 'lost', item: { ...item, reason: error instanceof Error ? error.message : String(error) } };
}

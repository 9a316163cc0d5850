import { EngineError } from '../../../model/engine-error.ts';
import type { StoredItem } from '../../../model/items.ts';
import type { SourceContent, SourceEvent } from '../../source.ts';
import { GraphError } from '../graph-error.ts';
import type { JsonObject } from '../json.ts';
import { asStored, propertiesOf } from '../mailbox/read-items.ts';
import type { Reading } from '../reader.ts';
import { without } from '../told-when-changed.ts';
import { hostedIdsOf, type MessagePlace, messageItem, messagePath } from './message-item.ts';

export interface ToldMessage {
  entity: JsonObject;
  place: MessagePlace;
}

/**
 * The events of messages. One that is as it is stored is not read again, and of one that was edited only the pictures that are new.
 * @param isWhole whether pictures that are not stored yet are read
 */
export async function messageEvents(
  reading: Reading,
  messages: readonly ToldMessage[],
  isWhole = true,
): Promise<SourceEvent[]> {
  const items = messages.map((message) => ({ ...message, item: messageItem(message.entity, message.place) }));
  const stored = await reading.request.current(items.map(({ item }) => item.id));
  return items.map(({ entity, place, item }): SourceEvent => {
    const known = stored.get(item.id);
    if (known !== undefined && item.details.tag !== undefined && known.details.tag === item.details.tag)
      return asStored(known, item.parentId);
    const properties = propertiesOf(without(entity, 'replies', 'replies@odata.context', 'replies@odata.nextLink'));
    return {
      type: 'item',
      item,
      contents: [properties, ...hostedContents(reading, { entity, place }, known, isWhole)],
    };
  });
}

function hostedContents(
  { connection }: Reading,
  { entity, place }: ToldMessage,
  known: StoredItem | undefined,
  isWhole: boolean,
): SourceContent[] {
  const stored = new Set(known?.contents.map(({ name }) => name));
  return hostedIdsOf(entity).flatMap((id): SourceContent[] => {
    const name = `hosted/${id}` as const;
    if (stored.has(name)) return [{ name, keep: true }];
    if (!isWhole) return [];
    const path = `${messagePath(place, String(entity['id']))}/hostedContents/${encodeURIComponent(id)}/$value`;
    return [{ name, sizeBytes: null, open: (signal) => hostedBytes(connection.download({ path, signal })) }];
  });
}

/** That a picture cannot be had says nothing of the other messages, nor of its own. */
async function* hostedBytes(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (cause) {
    if (!(cause instanceof GraphError) || ![403, 404].includes(cause.status)) throw cause;
    throw new EngineError('source-refused', `A picture of the message: ${cause.message}`, { cause });
  }
}

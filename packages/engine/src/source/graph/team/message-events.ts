import type { StoredItem } from '../../../model/items.ts';
import type { SourceContent, SourceEvent } from '../../source.ts';
import type { JsonObject } from '../json.ts';
import { asStored, propertiesOf } from '../read-items.ts';
import type { Reading } from '../reader.ts';
import { without } from '../scan-if-changed.ts';
import { hostedIdsOf, type MessagePlace, messageItem, messagePath, placeOfMessage } from './message-item.ts';

export interface ListedMessage {
  entity: JsonObject;
  place: MessagePlace;
}

/**
 * The events of messages. One that is as it is stored is not read again, and of one that was edited only the pictures that are new.
 * @param unreadable ids of pictures that are left out
 */
export async function messageEvents(
  reading: Reading,
  messages: readonly ListedMessage[],
  unreadable: ReadonlySet<string> = new Set(),
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
      contents: [properties, ...hostedContents(reading, { entity, place }, known, unreadable)],
    };
  });
}

function hostedContents(
  { connection, failures }: Reading,
  { entity, place }: ListedMessage,
  known: StoredItem | undefined,
  unreadable: ReadonlySet<string>,
): SourceContent[] {
  const stored = new Set(known?.contents.map(({ name }) => name));
  return hostedIdsOf(entity).flatMap((id): SourceContent[] => {
    const name = `hosted/${id}` as const;
    if (stored.has(name)) return [{ name, keep: true }];
    if (unreadable.has(id)) return [];
    const message = placeOfMessage(place, String(entity['id']));
    const path = hostedPath(message.entity.path, id);
    const open = (signal: AbortSignal) => failures.bytes(connection.download({ path, signal }), message);
    return [{ name, sizeBytes: null, open }];
  });
}

const hostedPath = (message: string, id: string) => `${message}/hostedContents/${encodeURIComponent(id)}/$value`;

/** Pictures of a message whose bytes cannot be had, which is found by reading them, and the last reason. */
export async function unreadableOf(
  { connection, request }: Reading,
  { entity, place }: ListedMessage,
): Promise<{ ids: ReadonlySet<string>; reason: unknown }> {
  const ids = new Set<string>();
  let reason: unknown = null;
  for (const id of hostedIdsOf(entity)) {
    const path = hostedPath(messagePath(place, String(entity['id'])), id);
    try {
      for await (const _ of connection.download({ path, signal: request.signal }));
    } catch (error) {
      reason = error;
      ids.add(id);
    }
  }
  return { ids, reason };
}

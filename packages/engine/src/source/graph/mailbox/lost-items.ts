import type { ItemKind } from '../../../model/items.ts';
import type { LostItem } from '../../../model/outcome.ts';
import type { SourceEvent } from '../../source.ts';
import { textOf } from '../json.ts';
import type { Reading } from '../reader.ts';
import { readLostContact } from './contacts.ts';
import type { ExchangeStream } from './exchange-stream.ts';
import { path, SINGLE } from './mailbox-paths.ts';
import { placeOf } from './mailbox-places.ts';
import { readMessages } from './message-contents.ts';
import { MESSAGE_QUERY, messageItem } from './message-item.ts';
import { wholeTask } from './tasks.ts';
import { readWholeItems } from './whole-items.ts';

/** All others come with the lists of the parts that they belong to; events too, as all are listed and those that are lost are read. */
const SINGLE_KINDS: readonly ItemKind[] = ['message', 'contact', 'task'];

/** Items that earlier runs could not read, tried again: read, lost once more, or gone meanwhile. */
export async function* readLostItems(reading: Reading, stream: ExchangeStream): AsyncGenerator<SourceEvent> {
  const small = stream.ofSmallItems();
  for (const item of reading.request.lost) {
    if (!SINGLE_KINDS.includes(item.kind)) continue;
    try {
      const events = await again(reading, item, small);
      yield* events.length > 0 ? events : [{ type: 'removed', id: item.id } as const];
    } catch (error) {
      yield await reading.failures.stillLost(item, error, placeOf(reading.request.object.id, item));
    }
  }
}

async function again(reading: Reading, lost: LostItem, stream: ExchangeStream): Promise<SourceEvent[]> {
  const { connection, request } = reading;
  const user = request.object.id;
  if (lost.kind === 'message') {
    const call = `${path`/users/${user}/messages/${lost.id}`}?${MESSAGE_QUERY}`;
    const entity = await connection.ask({ path: call, headers: SINGLE, signal: request.signal });
    const item = messageItem(entity, textOf(entity['parentFolderId']) ?? lost.parentId ?? '');
    const [events = []] = await readMessages(reading, [{ item, entity }], stream);
    return events;
  }
  if (lost.kind === 'contact') return readLostContact(reading, lost.id, lost.parentId, stream);
  const whole = wholeTask(user, lost.parentId ?? '', { id: lost.id, title: lost.name });
  const events: SourceEvent[] = [];
  for await (const event of readWholeItems(reading, [whole], stream)) events.push(event);
  return events;
}

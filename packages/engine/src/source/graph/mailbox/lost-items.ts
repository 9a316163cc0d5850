import type { LostItem } from '../../../model/outcome.ts';
import type { SourceEvent } from '../../source.ts';
import { type JsonObject, textOf } from '../json.ts';
import type { Reading } from '../reader.ts';
import { wholeEvent } from './calendars.ts';
import { readLostContact } from './contacts.ts';
import type { ExchangeStream } from './exchange-stream.ts';
import { path, SINGLE } from './mailbox-paths.ts';
import { readMessages } from './message-contents.ts';
import { MESSAGE_QUERY, messageItem } from './message-item.ts';
import { concernsAll, isGone } from './read-items.ts';
import { wholeTask } from './tasks.ts';
import { readWholeItems } from './whole-items.ts';

/** Items that earlier runs could not read, tried again: read, lost once more, or gone meanwhile. */
export async function* readLostItems(reading: Reading, stream: ExchangeStream): AsyncGenerator<SourceEvent> {
  for (const item of reading.request.lost) {
    try {
      const events = await again(reading, item, stream);
      yield* events.length > 0 ? events : [{ type: 'removed', id: item.id } as const];
    } catch (error) {
      if (isGone(error)) yield { type: 'removed', id: item.id };
      else if (concernsAll(error)) throw error;
      else yield { type: 'lost', item: { ...item, reason: error instanceof Error ? error.message : String(error) } };
    }
  }
}

async function again(reading: Reading, lost: LostItem, stream: ExchangeStream): Promise<SourceEvent[]> {
  const { connection, request } = reading;
  const user = request.object.id;
  const known: JsonObject = { id: lost.id, subject: lost.name, title: lost.name };
  if (lost.kind === 'message') {
    const call = `${path`/users/${user}/messages/${lost.id}`}?${MESSAGE_QUERY}`;
    const entity = await connection.ask({ path: call, headers: SINGLE, signal: request.signal });
    const item = messageItem(entity, textOf(entity['parentFolderId']) ?? lost.parentId ?? '');
    const [event] = await readMessages(reading, [{ item, entity }], stream);
    return event == null ? [] : [event];
  }
  if (lost.kind === 'contact') return readLostContact(reading, lost.id, lost.parentId, stream);
  const parentId = lost.parentId ?? '';
  const whole = lost.kind === 'task' ? wholeTask(user, parentId, known) : wholeEvent(user, parentId, known);
  const events: SourceEvent[] = [];
  for await (const event of readWholeItems(reading, [whole], stream)) events.push(event);
  return events;
}

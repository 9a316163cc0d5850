import { inOrder } from '../../../model/in-order.ts';
import type { Item } from '../../../model/items.ts';
import type { SourceContent, SourceEvent } from '../../source.ts';
import { isObject, type JsonObject, objectOf, textOf, textsOf } from '../json.ts';
import { groupsOf, propertiesOf } from '../read-items.ts';
import type { Reading } from '../reader.ts';
import { repliesTo } from '../reading-failures.ts';
import { readAttachments } from './attachments.ts';
import type { ExchangeStream } from './exchange-stream.ts';
import { SINGLE } from './mailbox-paths.ts';
import { placeOf } from './mailbox-places.ts';

/** An item that is read whole, by a call of its own: a list does not return all of it. */
export interface WholeItem {
  /** As far as it is known before it is read: a loss is reported with it. */
  item: Item;
  /** Of the item, without a query. */
  path: string;
  /** Asks for what Graph does not return by default. */
  query: string;
  toItem(entity: JsonObject): Item;
  /** What belongs to it beside its properties and attachments. */
  more?(entity: JsonObject): Promise<SourceContent[]>;
}

const GROUP = 20;
const GROUPS_AT_ONCE = 2;

/** The events of items that are read whole, some at a time, in their order. */
export async function* readWholeItems(
  reading: Reading,
  items: readonly WholeItem[],
  stream: ExchangeStream,
): AsyncGenerator<SourceEvent> {
  async function* groups() {
    yield* groupsOf(items, GROUP);
  }
  for await (const events of inOrder(groups(), GROUPS_AT_ONCE, (group) => readGroup(reading, group, stream)))
    yield* events;
}

async function readGroup(
  reading: Reading,
  group: readonly WholeItem[],
  stream: ExchangeStream,
): Promise<SourceEvent[]> {
  const { connection, request, failures } = reading;
  const calls = group.map(({ path, query }) => ({ path: query === '' ? path : `${path}?${query}`, headers: SINGLE }));
  const [replies, exports] = await Promise.all([
    repliesTo(connection, calls, request.signal),
    stream.read(group.map(({ item }) => item)),
  ]);
  const events = await Promise.all(
    group.map(async (whole, index): Promise<SourceEvent[]> => {
      const reply = replies[index];
      const place = placeOf(request.object.id, whole.item);
      try {
        if (reply === undefined) throw new TypeError('A batch left a call unanswered.');
        if ('error' in reply) throw reply.error;
        const entity = isObject(reply.body) ? reply.body : {};
        const event = await itemEvent(reading, whole, entity, exports.get(whole.item.id) ?? []);
        failures.succeeded(place.container);
        return [event];
      } catch (error) {
        return failures.eventsOf(whole.item, error, place);
      }
    }),
  );
  return events.flat();
}

/** Pictures in the text do not count as attachments: only the text names them. */
function mayHaveAttachments({ hasAttachments, body }: JsonObject): boolean {
  return hasAttachments === true || /\bcid:/i.test(textOf(objectOf(body)['content']) ?? '');
}

async function itemEvent(
  reading: Reading,
  { path, toItem, more }: WholeItem,
  entity: JsonObject,
  exported: readonly SourceContent[],
): Promise<SourceEvent> {
  const item = toItem(entity);
  const place = placeOf(reading.request.object.id, item);
  const attached = mayHaveAttachments(entity) ? await readAttachments(reading, path, place) : null;
  const properties = attached === null ? entity : { ...entity, attachments: attached.entities };
  const names = attached?.entities.flatMap(({ name }) => textOf(name) ?? []) ?? [];
  const details = names.length > 0 ? { ...item.details, attachmentNames: textsOf(names) } : item.details;
  const contents = [...(attached?.contents ?? []), ...((await more?.(entity)) ?? []), ...exported];
  return { type: 'item', item: { ...item, details }, contents: [propertiesOf(properties), ...contents] };
}

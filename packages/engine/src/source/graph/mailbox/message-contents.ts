import { EngineError } from '../../../model/engine-error.ts';
import type { Item } from '../../../model/items.ts';
import type { SourceContent, SourceEvent } from '../../source.ts';
import { isProtected } from '../graph-error.ts';
import type { JsonObject } from '../json.ts';
import { propertiesOf } from '../read-items.ts';
import type { Reading } from '../reader.ts';
import { type ItemPlace, type Reply, repliesTo } from '../reading-failures.ts';
import type { ExchangeStream } from './exchange-stream.ts';
import { path, SINGLE } from './mailbox-paths.ts';
import { placeOf } from './mailbox-places.ts';

/** MIME of up to that size is fetched in batches, which are buffered whole: 20 of them take 7 MB as base64. */
const SMALL_BYTES = 256 * 1024;

export interface Message {
  item: Item;
  entity: JsonObject;
}

/**
 * Reads messages with their properties, MIME and, where the tenant gives it out, the server's own form.
 * Small ones are read here and now in batches; a large one when its bytes are read.
 * @returns the events of each message, in their order; none for one that is gone
 */
export async function readMessages(
  reading: Reading,
  messages: readonly Message[],
  stream: ExchangeStream,
): Promise<SourceEvent[][]> {
  const { connection, request, failures } = reading;
  const { object, signal } = request;
  const small = messages.filter(isSmall);
  const calls = small.map(({ item }) => ({
    path: path`/users/${object.id}/messages/${item.id}/$value`,
    headers: SINGLE,
  }));
  const [replies, exports] = await Promise.all([
    repliesTo(connection, calls, signal),
    stream.read(messages.map(({ item }) => item)),
  ]);
  const mimes = new Map(small.map(({ item }, index) => [item.id, replies[index]]));
  const events = messages.map(async ({ item, entity }): Promise<SourceEvent[]> => {
    const place = placeOf(object.id, item);
    const mime = mimes.has(item.id) ? mimeOf(mimes.get(item.id)) : mimeLater(item, place);
    if (!('name' in mime)) {
      if (isProtected(mime.error)) return withoutMime(item, entity, exports.get(item.id) ?? []);
      return failures.eventsOf(item, mime.error, place);
    }
    if ('bytes' in mime) failures.succeeded(place.container);
    const sizeBytes = item.sizeBytes > 0 || !('bytes' in mime) ? item.sizeBytes : mime.bytes.length;
    const contents = [propertiesOf(entity), mime, ...(exports.get(item.id) ?? [])];
    return [{ type: 'item', item: { ...item, sizeBytes }, contents }];
  });
  return Promise.all(events);

  function mimeLater(item: Item, place: ItemPlace): SourceContent {
    const call = path`/users/${object.id}/messages/${item.id}/$value`;
    const open = (until: AbortSignal) =>
      failures.bytes(connection.download({ path: call, headers: SINGLE, signal: until }), place);
    return { name: 'mime', sizeBytes: null, open };
  }
}

/** A message whose size is not reported is small when it has no attachments. */
function isSmall({ item }: Message): boolean {
  return item.sizeBytes > 0 ? item.sizeBytes <= SMALL_BYTES : item.details.hasAttachments !== true;
}

function mimeOf(reply: Reply | undefined): { name: 'mime'; bytes: Buffer } | { error: unknown } {
  if (reply === undefined) return { error: noMessage('left the message out of its answer') };
  if ('error' in reply) return reply;
  if (Buffer.isBuffer(reply.body)) return { name: 'mime', bytes: reply.body };
  return { error: noMessage('answered with something that is no message') };
}

const noMessage = (what: string) =>
  new EngineError('source-refused', `Microsoft 365 ${what}. It is tried again with the next run.`);

/** A message whose protection forbids its text: what else is known of it is stored, and the run names it. */
function withoutMime(item: Item, entity: JsonObject, exported: readonly SourceContent[]): SourceEvent[] {
  const { id, name } = item;
  const known = { ...item, details: { ...item.details, without: 'protected' } };
  return [
    { type: 'skipped', id, name, cause: 'protected' },
    { type: 'item', item: known, contents: [propertiesOf(entity), ...exported] },
  ];
}

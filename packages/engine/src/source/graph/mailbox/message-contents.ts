import type { Item } from '../../../model/items.ts';
import type { SourceContent, SourceEvent } from '../../source.ts';
import type { BatchReply } from '../batch.ts';
import type { JsonObject } from '../json.ts';
import type { Reading } from '../reader.ts';
import type { ExchangeStream } from './exchange-stream.ts';
import { path, SINGLE } from './mailbox-paths.ts';
import { concernsAll, isGone, lostEvent, propertiesOf } from './read-items.ts';

/** MIME of up to that size is fetched in batches, which are held whole: 20 of them take 7 MB as base64. */
const SMALL_BYTES = 256 * 1024;

export interface Message {
  item: Item;
  entity: JsonObject;
}

/**
 * What becomes of each of some messages, in their order (`null`: gone meanwhile), with what they consist of: properties, MIME and, where the tenant gives it out, the server's own form.
 * Small ones are read here and now in batches; large ones by whoever wants their bytes.
 */
export async function readMessages(
  { connection, request }: Reading,
  messages: readonly Message[],
  stream: ExchangeStream,
): Promise<(SourceEvent | null)[]> {
  const { object, signal } = request;
  const small = messages.filter(isSmall);
  const calls = small.map(({ item }) => ({
    path: path`/users/${object.id}/messages/${item.id}/$value`,
    headers: SINGLE,
  }));
  const [replies, exports] = await Promise.all([
    connection.batch(calls, signal),
    stream.read(messages.map(({ item }) => item.id)),
  ]);
  const mimes = new Map(small.map(({ item }, at) => [item.id, replies[at]]));
  return messages.map(({ item, entity }) => {
    const mime = mimes.has(item.id) ? mimeOf(mimes.get(item.id)) : mimeLater(item);
    if (!('name' in mime)) return refused(item, mime.error);
    const sizeBytes = item.sizeBytes > 0 || !('bytes' in mime) ? item.sizeBytes : mime.bytes.length;
    const contents = [propertiesOf(entity), mime, ...(exports.get(item.id) ?? [])];
    return { type: 'item', item: { ...item, sizeBytes }, contents };
  });

  function mimeLater(item: Item): SourceContent {
    const call = path`/users/${object.id}/messages/${item.id}/$value`;
    const open = (until: AbortSignal) => connection.download({ path: call, headers: SINGLE, signal: until });
    return { name: 'mime', sizeBytes: null, open };
  }
}

/** A message whose size is not told is small when nothing hangs on it. */
function isSmall({ item }: Message): boolean {
  return item.sizeBytes > 0 ? item.sizeBytes <= SMALL_BYTES : item.details.hasAttachments !== true;
}

function mimeOf(reply: BatchReply | undefined): { name: 'mime'; bytes: Buffer } | { error: unknown } {
  if (reply === undefined) return { error: new Error('Microsoft 365 left the message out of its answer.') };
  if ('error' in reply) return reply;
  if (Buffer.isBuffer(reply.body)) return { name: 'mime', bytes: reply.body };
  return {
    error: new Error('Microsoft 365 answered with something that is no message. It is tried again with the next run.'),
  };
}

/** @throws what the next message would meet too */
function refused(item: Item, error: unknown): SourceEvent | null {
  if (isGone(error)) return null;
  if (error instanceof Error && 'code' in error && concernsAll(error)) throw error;
  return lostEvent(item, error);
}

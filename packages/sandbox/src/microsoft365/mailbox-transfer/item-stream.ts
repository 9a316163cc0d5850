import { createHmac } from 'node:crypto';
import type { Attachment, Message } from '../mail/message.ts';
import { mimeOf } from '../mail/mime-build.ts';
import type { Item, ItemContent } from '../mailbox/item.ts';
import { badRequest } from '../wire/refusals.ts';
import { fromBytes, toBytes } from './frozen-bytes.ts';

/** What a stream starts with: opaque to everybody but this sandbox, as the vendor's is to everybody but Exchange. */
const signature = Buffer.from('FTXSTREAM1');

/** Proves that a stream was written here and that no byte of it was changed on the way. */
const sealOf = (bytes: Buffer) => createHmac('sha256', 'sandbox').update(bytes).digest();
const sealLength = 32;

interface Stored {
  createdMs: number;
  modifiedMs: number;
  content: unknown;
  raw: Buffer | undefined;
}

/** Everything an item is, flags and times included, as bytes that can be imported again. */
export function exportStream(item: Item): Buffer {
  const { content, createdMs, modifiedMs } = item;
  const raw = content.kind === 'message' && content.raw ? mimeOf(content) : undefined;
  const stored: Stored = { createdMs, modifiedMs, content: freeze(content), raw };
  const bytes = toBytes(stored);
  return Buffer.concat([signature, sealOf(bytes), bytes]);
}

/** @throws GraphError 400 for what is no stream of an export */
export function importStream(bytes: Buffer): Pick<Item, 'content' | 'createdMs'> {
  const start = signature.length + sealLength;
  const rest = bytes.subarray(start);
  const isOwn = bytes.subarray(0, signature.length).equals(signature);
  if (!isOwn || !bytes.subarray(signature.length, start).equals(sealOf(rest))) throw corrupt();
  try {
    const stored = fromBytes(rest) as Stored;
    const { raw } = stored;
    const content = thaw(stored.content);
    if (content.kind !== 'message' || !raw) return { content, createdMs: stored.createdMs };
    // The deserializer's bytes may be in the request's own buffer, which would stay in memory with them.
    const own = Buffer.from(raw);
    return { content: { ...content, raw: () => own }, createdMs: stored.createdMs };
  } catch {
    throw corrupt();
  }
}

const corrupt = () =>
  badRequest('The data of the item is corrupt or was not exported from a mailbox.', 'ErrorCorruptData');

/** Functions cannot be written down: the bytes they give take their place. */
function freeze(content: ItemContent): unknown {
  const attachments = content.attachments.map((one) => {
    if (one.kind === 'file') return { ...one, bytes: one.bytes() };
    return one.kind === 'item' ? { ...one, message: freeze(one.message), raw: one.message.raw?.() } : one;
  });
  return content.kind === 'message' ? { ...content, attachments, raw: undefined } : { ...content, attachments };
}

type FrozenAttachment = Exclude<Attachment, { kind: 'file' | 'item' }> | FrozenFile | FrozenItem;
type FrozenFile = Omit<Extract<Attachment, { kind: 'file' }>, 'bytes'> & { bytes: Uint8Array };
type FrozenItem = Omit<Extract<Attachment, { kind: 'item' }>, 'message'> & {
  message: unknown;
  raw: Uint8Array | undefined;
};

/** The seal says that it was written here, and so that it has the shape `freeze` gave it. */
function thaw(frozen: unknown): ItemContent {
  const content = frozen as ItemContent & { attachments: readonly unknown[] };
  const attachments = (content.attachments as readonly FrozenAttachment[]).map((one): Attachment => {
    if (one.kind === 'file') {
      const bytes = Buffer.from(one.bytes);
      return { ...one, bytes: () => bytes };
    }
    if (one.kind !== 'item') return one;
    const { raw, ...rest } = one;
    const bytes = raw && Buffer.from(raw);
    const message = thaw(one.message) as Message;
    return { ...rest, message: { ...message, raw: bytes && (() => bytes) } };
  });
  return { ...content, attachments };
}

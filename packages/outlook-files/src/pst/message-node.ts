import { checkedContent } from '../mapi/checked-content.ts';
import type { MapiAttachment, MapiMessage } from '../mapi/mapi-object.ts';
import type { PropertyBag } from '../mapi/property-bag.ts';
import { TYPE } from '../mapi/property-types.ts';
import type { BlockId } from './block-store.ts';
import { DataTree, MOST_DATA_BYTES } from './data-tree.ts';
import { ALLOCATION_BYTES } from './heap.ts';
import { NODE, NODE_TYPE } from './node-ids.ts';
import type { StoredValue } from './property-context.ts';
import { sizeOfValues, writeProperties } from './property-context.ts';
import type { Store } from './store.ts';
import type { Subnode } from './subnodes.ts';
import { writeSubnodes } from './subnodes.ts';
import { writeTable } from './table.ts';
import { ATTACHMENTS, RECIPIENTS } from './table-schema.ts';

const ATTACH_SIZE = 0x0e20;
const ATTACH_DATA = 0x3701;
const MESSAGE_SIZE = 0x0e08;
const SUBJECT = 0x0037;
const SUBJECT_PREFIX = 0x003d;
const PREFIX_MARK = '\u0001';

interface WrittenMessage {
  data: BlockId;
  subnodes: BlockId;
  sizeBytes: number;
}

/** Writes an item's recipients, attachments and properties, [MS-PST] 2.4.5. Sets the item's size among its properties. */
export async function writeMessage(store: Store, message: MapiMessage): Promise<WrittenMessage> {
  const subnodes: Subnode[] = [];
  const rows = message.recipients.map((values, index) => ({ id: index + 1, values }));
  subnodes.push({ nodeId: NODE.recipientTable, ...writeTable(store, RECIPIENTS, rows) });
  let sizeBytes = message.recipients.reduce((sum, recipient) => sum + sizeOfValues(recipient), 0);
  if (message.attachments.length > 0) {
    const attachments = await writeAttachments(store, message.attachments);
    subnodes.push(...attachments.subnodes);
    sizeBytes += attachments.sizeBytes;
  }
  sizeBytes = Math.min(sizeBytes + sizeOfValues(message.properties), MOST_DATA_BYTES);
  message.properties.integer(MESSAGE_SIZE, sizeBytes);
  markSubjectPrefix(message.properties);
  const written = writeProperties(store, message.properties);
  subnodes.push(...written.subnodes);
  return { data: written.data, subnodes: writeSubnodes(store.blocks, subnodes), sizeBytes };
}

/**
 * A PST stores the length of "RE: " in two characters before the subject, [MS-PST] 2.5.3.1.1.1. A subject that begins like such a mark is
 * given one too, or readers would read its first characters as one.
 */
function markSubjectPrefix(properties: PropertyBag): void {
  const prefix = properties.get(SUBJECT_PREFIX)?.bytes.toString('utf16le') ?? '';
  const subject = properties.get(SUBJECT)?.bytes.toString('utf16le') ?? '';
  if ((prefix !== '' && subject.startsWith(prefix)) || subject.startsWith(PREFIX_MARK)) {
    properties.text(SUBJECT, `${PREFIX_MARK}${String.fromCharCode(prefix.length + 1)}${subject}`);
  }
}

async function writeAttachments(store: Store, attachments: readonly MapiAttachment[]) {
  const subnodes: Subnode[] = [];
  const rows: { id: number; values: PropertyBag }[] = [];
  let total = 0;
  for (const [number, attachment] of attachments.entries()) {
    const content = await writeContent(store, attachment.content);
    const properties = attachment.properties.integer(0x0e21, number);
    const sizeBytes = Math.min(sizeOfValues(properties) + 4 + content.sizeBytes, MOST_DATA_BYTES);
    const written = writeProperties(store, properties.integer(ATTACH_SIZE, sizeBytes), content.stored);
    const nodeId = store.nodes.allocateId(NODE_TYPE.attachment);
    const inner = writeSubnodes(store.blocks, [...content.subnodes, ...written.subnodes]);
    subnodes.push({ nodeId, data: written.data, subnodes: inner });
    rows.push({ id: nodeId, values: properties });
    total += sizeBytes;
  }
  subnodes.push({ nodeId: NODE.attachmentTable, ...writeTable(store, ATTACHMENTS, rows) });
  return { subnodes, sizeBytes: total };
}

interface WrittenContent {
  stored: StoredValue[];
  subnodes: Subnode[];
  sizeBytes: number;
}

function writeContent(store: Store, content: MapiAttachment['content']): Promise<WrittenContent> {
  return content.kind === 'bytes' ? writeBytes(store, content) : writeEmbedded(store, content.message);
}

async function writeBytes(
  store: Store,
  content: MapiAttachment['content'] & { kind: 'bytes' },
): Promise<WrittenContent> {
  const { sizeBytes } = content;
  if (sizeBytes > MOST_DATA_BYTES) {
    throw new RangeError(
      `The attachment "${content.name}" has ${sizeBytes} bytes; a PST allows at most 2 GiB for one.`,
    );
  }
  if (sizeBytes <= ALLOCATION_BYTES) {
    const bytes = await collect(checkedContent(content));
    return {
      stored: [{ key: ATTACH_DATA, type: TYPE.binary, reference: sizeBytes === 0 ? 0 : bytes }],
      subnodes: [],
      sizeBytes,
    };
  }
  const tree = new DataTree(store.blocks);
  for await (const chunk of checkedContent(content)) {
    tree.append(chunk);
    if (store.file.isBehind) {
      await store.file.drain();
    }
  }
  const nodeId = store.nodes.allocateId(NODE_TYPE.value);
  return {
    stored: [{ key: ATTACH_DATA, type: TYPE.binary, reference: nodeId }],
    subnodes: [{ nodeId, data: tree.finish(), subnodes: 0 }],
    sizeBytes,
  };
}

async function writeEmbedded(store: Store, message: MapiMessage): Promise<WrittenContent> {
  const { sizeBytes, ...written } = await writeMessage(store, message);
  const nodeId = store.nodes.allocateId(NODE_TYPE.normalMessage);
  const reference = Buffer.alloc(8);
  reference.writeUInt32LE(nodeId, 0);
  reference.writeUInt32LE(sizeBytes, 4);
  return {
    stored: [{ key: ATTACH_DATA, type: TYPE.object, reference }],
    subnodes: [{ nodeId, ...written }],
    sizeBytes,
  };
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) {
    all.push(chunk);
  }
  return Buffer.concat(all);
}

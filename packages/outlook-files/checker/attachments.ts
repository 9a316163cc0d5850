import { hex } from './binary.ts';
import { PropertyContext } from './heap/property-context.ts';
import { compareRow } from './heap/row-values.ts';
import { TableContext } from './heap/table-context.ts';
import type { NodeContent } from './node-content.ts';
import { nodeType, typeOf } from './nodes.ts';
import { checkNames, checkUnused, requireColumns, requireProperties, type Store } from './objects.ts';
import { attachmentColumns, type ColumnTag } from './tables.ts';
import { binaryType, objectType } from './value.ts';

/** Node id of the attachment table, as a subnode and as the template. */
export const attachmentTable = 0x671;

/** [MS-PST] 2.4.6.2.1. */
const required: ColumnTag[] = [
  [0x0e20, 0x0003],
  [0x3705, 0x0003],
  [0x370b, 0x0003],
];

/** What the checks of attachments need: a message inside an attachment is checked by who asks. */
export interface AttachmentStore extends Store {
  checkEmbedded(message: NodeContent): Promise<unknown>;
}

/**
 * Checks the attachment table of a message, its rows against the attachment subnodes, and each attachment.
 *
 * @returns the number of attachments
 */
export async function checkAttachments(store: AttachmentStore, message: NodeContent): Promise<number> {
  const { findings } = store.database;
  const attachments = [...message.subnodes.keys()].filter((nid) => typeOf(nid) === nodeType.attachment);
  if (!message.subnodes.has(attachmentTable)) {
    if (attachments.length > 0)
      findings.add('attachment-table', message.where, `has ${attachments.length} attachments and no attachment table`);
    for (const nid of attachments)
      await findings.guard(message.where, async () => checkAttachment(store, await message.openSubnode(nid)));
    return attachments.length;
  }
  await findings.guard(message.where, async () =>
    checkTable(store, message, await TableContext.open(await message.openSubnode(attachmentTable))),
  );
  for (const nid of attachments) {
    if (!message.used.has(nid))
      findings.add('attachment-row', message.where, `the attachment ${hex(nid)} has no row in the attachment table`);
    message.used.add(nid);
  }
  return attachments.length;
}

async function checkTable(store: AttachmentStore, message: NodeContent, table: TableContext): Promise<void> {
  const { findings } = store.database;
  requireColumns(table, attachmentColumns, 'attachment-columns');
  for await (const row of table.rows()) {
    if (!message.subnodes.has(row.id) || typeOf(row.id) !== nodeType.attachment) {
      findings.add('attachment-row', table.node.where, `the row ${hex(row.id)} is of no attachment of the message`);
      continue;
    }
    const attachment = await findings.guard(message.where, async () =>
      checkAttachment(store, await message.openSubnode(row.id)),
    );
    if (attachment) await compareRow(table, row, attachment, 'attachment-row-value');
  }
  checkUnused(table.node);
}

async function checkAttachment(store: AttachmentStore, node: NodeContent): Promise<PropertyContext> {
  const attachment = await PropertyContext.open(node);
  requireProperties(attachment, required, 'attachment-property');
  checkNames(store, attachment);
  await checkContent(store, attachment);
  checkUnused(node);
  return attachment;
}

/** The method says where the content is ([MS-PST] 2.4.6.2.2, [MS-OXCMSG] 2.2.2.9). */
async function checkContent(store: AttachmentStore, attachment: PropertyContext): Promise<void> {
  const { findings } = store.database;
  const { where } = attachment.node;
  const method = await attachment.integer(0x3705);
  const content = attachment.properties.get(0x3701);
  if (method === 1) {
    if (content?.type !== binaryType)
      findings.add('attachment-data', where, 'an attachment by value needs PidTagAttachDataBinary');
    await checkSize(attachment);
  } else if (method === 5) {
    const nid = content?.type === objectType ? (await content.read()).readUInt32LE(0) : 0;
    if (typeOf(nid) !== nodeType.message)
      findings.add('attachment-data', where, 'an embedded message needs PidTagAttachDataObject with a message subnode');
    else await findings.guard(where, async () => store.checkEmbedded(await attachment.node.openSubnode(nid)));
  } else if (method === 6 && !content) {
    findings.add('attachment-data', where, 'an OLE object needs PidTagAttachDataObject or PidTagAttachDataBinary');
  } else if (method !== undefined && method > 7) {
    findings.add('attachment-data', where, `PidTagAttachMethod is ${method}, which is no method`);
  }
}

/** PidTagAttachSize of an attachment by value is the sum of the sizes of all its property values. */
async function checkSize(attachment: PropertyContext): Promise<void> {
  const size = [...attachment.properties.values()].reduce((sum, value) => sum + value.size, 0);
  const stated = await attachment.integer(0x0e20);
  if (stated !== undefined && stated !== size)
    attachment.node.database.findings.add(
      'attachment-size',
      attachment.node.where,
      `PidTagAttachSize is ${stated}, the property values have ${size} bytes`,
    );
}

import { checkAttachments } from './attachments.ts';
import { PropertyContext } from './heap/property-context.ts';
import { TableContext } from './heap/table-context.ts';
import type { NodeContent } from './node-content.ts';
import { checkNames, checkUnused, requireColumns, requireProperties, type Store } from './objects.ts';
import { type ColumnTag, recipientColumns } from './tables.ts';

/** Node id of the recipient table, as a subnode and as the template. */
export const recipientTable = 0x692;

/** mfRead and mfHasAttach of PidTagMessageFlags ([MS-OXCMSG] 2.2.1.6). */
const flags = { read: 0x01, hasAttachments: 0x10 } as const;

/**
 * [MS-PST] 2.4.5.1.1, but for PidTagMessageStatus (0x0E17): the document demands it here, yet Outlook stores it in the
 * row of the contents table only (2.5.3 has it as calculated).
 */
const required: ColumnTag[] = [
  [0x001a, 0x001f],
  [0x0e07, 0x0003],
  [0x0e08, 0x0003],
  [0x3007, 0x0040],
  [0x3008, 0x0040],
  [0x300b, 0x0102],
];

/** Checks a message, at the top or embedded, with its recipients and attachments, and returns its properties. */
export async function checkMessage(store: Store, node: NodeContent): Promise<PropertyContext> {
  const message = await PropertyContext.open(node);
  requireProperties(message, required, 'message-property');
  checkNames(store, message);
  await checkRecipients(store, node);
  const checkEmbedded = (embedded: NodeContent) => checkMessage(store, embedded);
  await checkAttachmentFlag(message, await checkAttachments({ ...store, checkEmbedded }, node));
  checkUnused(node);
  return message;
}

/** Whether the message counts as unread. */
export async function isUnread(message: PropertyContext): Promise<boolean> {
  return ((await message.integer(0x0e07)) ?? 0) % 2 !== flags.read;
}

async function checkRecipients(store: Store, message: NodeContent): Promise<void> {
  const { findings } = store.database;
  if (!message.subnodes.has(recipientTable)) {
    findings.add('recipient-table', message.where, 'a message has a recipient table, even without recipients');
    return;
  }
  await findings.guard(message.where, async () => {
    const table = await TableContext.open(await message.openSubnode(recipientTable));
    requireColumns(table, recipientColumns, 'recipient-columns');
    for await (const row of table.rows()) {
      const kind = (await row.cells.get(0x0c15)?.read())?.readUInt32LE(0);
      // The low four bits: sender (0), To, Cc, Bcc; the high ones say how a resent message fared ([MS-OXOMSG] 2.2.3.1).
      if (kind === undefined || (kind & 0xf) > 3)
        findings.add('recipient-table', table.node.where, `a row has the recipient type ${kind ?? 'none'}`);
    }
    checkUnused(table.node);
  });
}

async function checkAttachmentFlag(message: PropertyContext, attachments: number): Promise<void> {
  const stated = (((await message.integer(0x0e07)) ?? 0) & flags.hasAttachments) !== 0;
  if (stated !== attachments > 0)
    message.node.database.findings.add(
      'attachment-flag',
      message.node.where,
      `mfHasAttach is ${stated ? 'set' : 'not set'}, there are ${attachments} attachments`,
    );
}

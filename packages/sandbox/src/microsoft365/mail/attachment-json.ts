import type { Item } from '../mailbox/item.ts';
import type { Mailbox } from '../mailbox/mailbox.ts';
import type { JsonObject } from '../wire/json.ts';
import type { Attachment } from './message.ts';
import { contentJson, type Preferences } from './message-json.ts';
import { mimeOf } from './mime-build.ts';

/** Bytes of an attachment: the file, or the MIME of the message. */
export function attachmentBytes(attachment: Attachment): Buffer {
  if (attachment.kind === 'file') return attachment.bytes();
  return attachment.kind === 'item' ? mimeOf(attachment.message) : Buffer.alloc(0);
}

export function attachmentJson(
  mailbox: Mailbox,
  item: Item,
  attachment: Attachment,
  { isImmutable, hasBytes }: { isImmutable: boolean; hasBytes: boolean },
): JsonObject {
  const facts = {
    '@odata.type': `#microsoft.graph.${attachment.kind}Attachment`,
    '@odata.mediaContentType': attachment.kind === 'item' ? undefined : attachment.contentType,
    id: mailbox.partId(item, isImmutable, 'attachment', attachment.number),
    lastModifiedDateTime: `${new Date(attachment.modifiedMs).toISOString().slice(0, 19)}Z`,
    name: attachment.name,
    contentType: attachment.kind === 'item' ? null : attachment.contentType,
    // The vendor counts the properties of the attachment too.
    size: (attachment.kind === 'item' ? attachmentBytes(attachment).length : attachment.size) + 512,
    isInline: attachment.isInline,
  };
  if (attachment.kind !== 'file') return facts;
  return {
    ...facts,
    contentId: attachment.contentId,
    contentLocation: null,
    ...(hasBytes ? { contentBytes: attachment.bytes().toString('base64') } : {}),
  };
}

/** `$expand=microsoft.graph.itemattachment/item`: the message within. */
export function expandedItem(attachment: Attachment | undefined, preferences: Preferences): JsonObject | undefined {
  if (attachment?.kind !== 'item') return undefined;
  return { '@odata.type': '#microsoft.graph.message', ...contentJson(attachment.message, preferences) };
}

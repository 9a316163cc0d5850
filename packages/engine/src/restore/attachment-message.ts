import { createHash } from 'node:crypto';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { ItemPart } from '../export/item-parts.ts';
import type { ItemVersion } from '../model/items.ts';
import type { NewItem } from '../source/target.ts';

/** Base64 in lines takes so much of the bytes; the head and the text come beside. */
const BASE64_SHARE = 1.37;
const HEAD_BYTES = 4_096;
/** Of an item without an instant: the same bytes each time. */
const NO_DATE = new Date(0);

/** An attachment with its bytes, and the item that it is of. */
export interface StoredAttachment {
  item: ItemVersion;
  part: Pick<ItemPart, 'id' | 'name' | 'contentType' | 'sizeBytes'>;
  read(): Promise<Buffer>;
}

/**
 * The message that carries one attachment and nothing else: no address, so that nobody gets it by mistake, and a text that says what it is of.
 * @param source names the object and the revision: the same attachment always makes the same message, and is found again by its id
 */
export function attachmentMessage(source: string, { item, part, read }: StoredAttachment): NewItem {
  const id = createHash('sha256').update([source, item.id, part.id].join('\0')).digest('hex').slice(0, 40);
  const head = { subject: `Attachment: ${part.name}`, internetMessageId: `<${id}@restored.invalid>` };
  const compose = async () => composed(head, item, part, await read());
  const sizeBytes = Math.ceil(part.sizeBytes * BASE64_SHARE) + HEAD_BYTES;
  async function* open() {
    yield await compose();
  }
  return {
    kind: 'message',
    properties: { ...head, isRead: false, isDraft: true },
    contents: [{ name: 'mime', sizeBytes, open }],
  };
}

function composed(
  { subject, internetMessageId }: { subject: string; internetMessageId: string },
  item: ItemVersion,
  { name, contentType }: StoredAttachment['part'],
  content: Buffer,
): Promise<Buffer> {
  return new MailComposer({
    subject,
    messageId: internetMessageId,
    date: item.modifiedAt ?? NO_DATE,
    text: `'${name}' was restored from a backup. It was attached to ${whatOf(item)}.`,
    attachments: [{ filename: name, content, contentType: contentType ?? 'application/octet-stream' }],
    baseBoundary: internetMessageId.slice(1, 17),
    disableFileAccess: true,
    disableUrlAccess: true,
  })
    .compile()
    .build();
}

function whatOf({ kind, name, details: { from, receivedAt, sentAt } }: ItemVersion): string {
  const at = receivedAt ?? sentAt;
  return [`the ${kind} '${name}'`, from === undefined ? '' : `from ${from}`, at === undefined ? '' : `of ${at}`]
    .filter((part) => part !== '')
    .join(' ');
}

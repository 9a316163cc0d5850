import PostalMime, { type Email, type Attachment as MimeAttachment } from 'postal-mime';
import { EngineError } from '../../../model/engine-error.ts';
import type { NewItem, Written } from '../../target.ts';
import { type JsonObject, textOf } from '../json.ts';
import { EXTENDED, extendedOf } from '../mailbox/message-item.ts';
import { attach, fileAttachment, isWhole, type NewAttachment } from './attachment-writer.ts';
import {
  bareId,
  bytesOf,
  type MailboxWriting,
  orTakenBack,
  type Place,
  pathOfItem,
  pathOfItems,
  picked,
} from './mailbox-writing.ts';

/** What can be changed of any message. */
const CHANGEABLE = ['categories', 'importance', 'flag', 'isRead', 'inferenceClassification'] as const;
/** What can be said of a message when it is made. */
const SETTABLE = [
  ...CHANGEABLE,
  'subject',
  'from',
  'sender',
  'toRecipients',
  'ccRecipients',
  'bccRecipients',
  'replyTo',
  'internetMessageId',
  'isDeliveryReceiptRequested',
  'isReadReceiptRequested',
];
/** MS-OXCMSG 2.2.1.6: read, and not yet sent. */
const FLAGS = { read: 0x1, unsent: 0x8 } as const;
const DELIVERY_TIME = 'SystemTime 0x0E06';
const SUBMIT_TIME = 'SystemTime 0x0039';
const TRANSPORT_HEADERS = 'String 0x007D';

/**
 * Writes a message from its MIME and properties. Posted as MIME it would be a draft for ever, so a message that was sent is made of its
 * parts, and says by its message flags, which are heeded when it is first saved, that it was sent.
 */
export async function writeMessage(
  writing: MailboxWriting,
  place: Place,
  item: NewItem,
  signal: AbortSignal,
): Promise<Written> {
  const { connection, user } = writing;
  if (place.id !== null) {
    const itemPath = pathOfItem(user, 'message', place.id, place.folderId);
    const body = picked(item.properties, CHANGEABLE);
    await connection.ask({ method: 'PATCH', path: itemPath, headers: bareId, body, signal });
    return { id: place.id, losses: [] };
  }
  const mime = await bytesOf(item, 'mime');
  if (mime === null) throw new EngineError('bad-request', 'A message without its MIME cannot be written.');
  const email = await PostalMime.parse(mime, { attachmentEncoding: 'arraybuffer' });
  const attachments = email.attachments.map(attachmentOf);
  const inPost = isWhole(attachments) ? attachments : [];
  const body = { ...messageBody(item.properties, email, mime), attachments: inPost.map(fileAttachment) };
  const path = pathOfItems(user, 'message', place.folderId);
  const made = await connection.ask({ method: 'POST', path, headers: bareId, body, signal });
  const id = textOf(made['id']) ?? '';
  const itemPath = pathOfItem(user, 'message', id, place.folderId);
  await orTakenBack(writing, itemPath, async () => {
    for (const attachment of attachments.slice(inPost.length)) await attach(writing, itemPath, attachment, signal);
  });
  return { id, losses: [] };
}

function messageBody(properties: JsonObject, email: Email, mime: Buffer): object {
  const content = email.html ?? email.text ?? '';
  return {
    ...picked(properties, SETTABLE),
    body: { contentType: email.html === undefined ? 'text' : 'html', content },
    singleValueExtendedProperties: extendedProperties(properties, mime),
  };
}

function extendedProperties(properties: JsonObject, mime: Buffer): { id: string; value: string }[] {
  const isRead = properties['isRead'] === true ? FLAGS.read : 0;
  const isUnsent = properties['isDraft'] === true ? FLAGS.unsent : 0;
  const end = mime.indexOf('\r\n\r\n');
  const values: readonly (readonly [string, string | undefined])[] = [
    [EXTENDED.messageFlags, String(isRead | isUnsent)],
    [DELIVERY_TIME, textOf(properties['receivedDateTime'])],
    [SUBMIT_TIME, textOf(properties['sentDateTime'])],
    [TRANSPORT_HEADERS, end > 0 ? mime.subarray(0, end + 2).toString('utf8') : undefined],
    [EXTENDED.messageClass, extendedOf(properties, EXTENDED.messageClass)],
    [EXTENDED.iconIndex, extendedOf(properties, EXTENDED.iconIndex)],
    [EXTENDED.lastVerb, extendedOf(properties, EXTENDED.lastVerb)],
    [EXTENDED.lastVerbTime, extendedOf(properties, EXTENDED.lastVerbTime)],
  ];
  return values.flatMap(([id, value]) => (value === undefined ? [] : [{ id, value }]));
}

function attachmentOf({ filename, mimeType, disposition, contentId, content }: MimeAttachment): NewAttachment {
  return {
    name: filename ?? 'attachment',
    contentType: mimeType,
    isInline: disposition === 'inline',
    contentId: contentId?.replace(/^<|>$/g, '') ?? null,
    bytes: typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content)),
  };
}

import PostalMime, { type Email, type Attachment as MimeAttachment } from 'postal-mime';
import { EngineError } from '../../../model/engine-error.ts';
import type { NewItem, Written } from '../../target.ts';
import { type JsonObject, textOf } from '../json.ts';
import { EXTENDED } from '../mailbox/message-item.ts';
import { attach, fileAttachment, fitInOneRequest, type NewAttachment } from './attachment-writer.ts';
import {
  bareId,
  deleteOnFailure,
  type MailboxWriting,
  type Place,
  pathOfItem,
  pathOfItems,
  picked,
} from './mailbox-writing.ts';
import { isProtected } from './message-mime.ts';
import { CHANGEABLE, extendedProperties, lossesOf } from './message-properties.ts';

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
const TRANSPORT_HEADERS = 'String 0x007D';
const MESSAGE = 'message/rfc822';

/**
 * Writes a message whose MIME is too large for one request from its parts: properties and body first, then its attachments, each in as many
 * requests as it needs. Its message flags, which count only when it is first saved, mark it as sent.
 * @throws EngineError `source-refused` for one that is signed or encrypted: made of its parts it would be neither any more
 */
export async function writeInParts(
  writing: MailboxWriting,
  place: Place,
  item: NewItem,
  mime: Buffer,
  signal: AbortSignal,
): Promise<Written> {
  const { connection, user } = writing;
  if (isProtected(mime))
    throw new EngineError(
      'source-refused',
      'It is signed or encrypted, and too large for Microsoft 365 to take it whole. Give the application MailboxItem.ImportExport.All, or export it as EML.',
    );
  const email = await PostalMime.parse(mime, { attachmentEncoding: 'arraybuffer', forceRfc822Attachments: true });
  const attachments = email.attachments.map(attachmentOf);
  const inPost = fitInOneRequest(attachments) ? attachments : [];
  const body = { ...messageBody(item.properties, email, mime), attachments: inPost.map(fileAttachment) };
  const path = pathOfItems(user, 'message', place.folderId);
  const id = textOf((await connection.ask({ method: 'POST', path, headers: bareId, body, signal }))['id']) ?? '';
  const itemPath = pathOfItem(user, 'message', id, place.folderId);
  const losses = await deleteOnFailure(writing, itemPath, signal, async () => {
    for (const attachment of attachments.slice(inPost.length)) await attach(writing, itemPath, attachment, signal);
    return lossesOf(writing, itemPath, item, signal);
  });
  return { id, losses: [...partLosses(email), ...losses] };
}

function partLosses({ html, text, attachments }: Email): string[] {
  return [
    'its MIME as it came: it was too large for one request and was rebuilt from its parts',
    ...(html !== undefined && text !== undefined ? ['its plain text beside the HTML'] : []),
    ...(attachments.some(({ mimeType }) => mimeType === MESSAGE) ? ['messages attached as such: they are files'] : []),
  ];
}

function messageBody(properties: JsonObject, email: Email, mime: Buffer): object {
  const content = email.html ?? email.text ?? '';
  const isRead = properties['isRead'] === true ? FLAGS.read : 0;
  const isUnsent = properties['isDraft'] === true ? FLAGS.unsent : 0;
  const end = mime.indexOf('\r\n\r\n');
  const headers = end > 0 ? [{ id: TRANSPORT_HEADERS, value: mime.subarray(0, end + 2).toString('utf8') }] : [];
  return {
    ...picked(properties, SETTABLE),
    body: { contentType: email.html === undefined ? 'text' : 'html', content },
    singleValueExtendedProperties: [
      { id: EXTENDED.messageFlags, value: String(isRead | isUnsent) },
      ...headers,
      ...extendedProperties(properties),
    ],
  };
}

function attachmentOf({ filename, mimeType, disposition, contentId, content }: MimeAttachment): NewAttachment {
  return {
    name: filename ?? (mimeType === MESSAGE ? 'message.eml' : 'attachment'),
    contentType: mimeType,
    isInline: disposition === 'inline',
    contentId: contentId?.replace(/^<|>$/g, '') ?? null,
    bytes: typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content)),
  };
}

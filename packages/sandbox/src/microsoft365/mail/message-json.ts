import type { Item } from '../mailbox/item.ts';
import type { Mailbox } from '../mailbox/mailbox.ts';
import type { GraphCall } from '../wire/graph-call.ts';
import type { JsonObject } from '../wire/json.ts';
import type { EmailAddress, Message } from './message.ts';

/** How the caller wants things: immutable ids, and bodies as text or not at all. */
export interface Preferences {
  isImmutable: boolean;
  isText: boolean;
  /** False when neither the body nor its preview was selected: they are what a message costs most to make. */
  needsBody: boolean;
}

export function preferencesOf({ headers, query }: Pick<GraphCall, 'headers' | 'query'>): Preferences {
  const prefer = headers['prefer'] ?? '';
  const needed = ['$select', '$filter', '$search', '$orderby'].map((name) => query.get(name) ?? '').join();
  return {
    isImmutable: /IdType\s*=\s*"?ImmutableId/i.test(prefer),
    isText: /outlook\.body-content-type\s*=\s*"?text/i.test(prefer),
    needsBody: !query.get('$select') || query.has('$search') || /body|\*/i.test(needed),
  };
}

export const changeKeyOf = (item: Pick<Item, 'number' | 'revision'>) => {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(item.number, 0, 6);
  bytes.writeUInt32BE(item.revision, 12);
  return `CQAAABYAAA${bytes.toString('base64')}`;
};

export const etagOf = (item: Pick<Item, 'number' | 'revision'>) => `W/"${changeKeyOf(item)}"`;

const instant = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

export function messageJson(mailbox: Mailbox, item: Item<Message>, preferences: Preferences): JsonObject {
  const { content } = item;
  const id = mailbox.itemId(item, preferences.isImmutable);
  return {
    '@odata.etag': etagOf(item),
    id,
    createdDateTime: instant(item.createdMs),
    lastModifiedDateTime: instant(item.modifiedMs),
    changeKey: changeKeyOf(item),
    parentFolderId: mailbox.folderId(item.folder),
    webLink: `https://outlook.office365.com/owa/?ItemID=${id}&exvsurl=1&viewmodel=ReadMessageItem`,
    ...contentJson(content, preferences),
  };
}

/** The content of a message alone, as it is also in an item attachment. */
export function contentJson(content: Message, preferences: Preferences): JsonObject {
  return {
    categories: content.categories,
    receivedDateTime: instant(content.receivedMs),
    sentDateTime: instant(content.sentMs),
    hasAttachments: content.attachments.some(({ isInline }) => !isInline),
    internetMessageId: content.internetMessageId,
    subject: content.subject,
    importance: content.importance,
    conversationId: content.conversationId,
    conversationIndex: Buffer.from(content.conversationId).subarray(0, 22).toString('base64'),
    isDeliveryReceiptRequested: content.isDeliveryReceiptRequested,
    isReadReceiptRequested: content.isReadReceiptRequested,
    isRead: content.isRead,
    isDraft: content.isDraft,
    inferenceClassification: content.inferenceClassification,
    ...(preferences.needsBody ? bodyJson(content, preferences.isText) : {}),
    ...(content.sender ? { sender: recipient(content.sender) } : {}),
    ...(content.from ? { from: recipient(content.from) } : {}),
    toRecipients: content.to.map(recipient),
    ccRecipients: content.cc.map(recipient),
    bccRecipients: content.bcc.map(recipient),
    replyTo: content.replyTo.map(recipient),
    flag: { flagStatus: content.flag.flagStatus, ...content.flag.times },
  };
}

function bodyJson({ bodyType, body }: Message, isText: boolean): JsonObject {
  const text = bodyType === 'text' ? body : textOfHtml(body);
  return {
    bodyPreview: text.slice(0, 255),
    body: isText ? { contentType: 'text', content: text } : { contentType: bodyType, content: body },
  };
}

const recipient = ({ name, address }: EmailAddress) => ({ emailAddress: { name, address } });

function textOfHtml(html: string): string {
  return html
    .replace(/<(style|script)[\s\S]*?<\/\1>/gi, '')
    .replace(/<br\s*\/?>|<\/p>/gi, '\r\n')
    .replace(/<[^>]*>/g, '')
    .replace(/&nbsp;/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .trim();
}

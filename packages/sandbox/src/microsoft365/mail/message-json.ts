import type { Item } from '../mailbox/item.ts';
import type { Mailbox } from '../mailbox/mailbox.ts';
import type { JsonObject } from '../wire/json.ts';
import type { EmailAddress, Message } from './message.ts';

/** How the caller wants things: immutable ids, and bodies as text. */
export interface Preferences {
  isImmutable: boolean;
  isText: boolean;
}

export function preferencesOf(headers: Readonly<Record<string, string | undefined>>): Preferences {
  const prefer = headers['prefer'] ?? '';
  return {
    isImmutable: /IdType\s*=\s*"?ImmutableId/i.test(prefer),
    isText: /outlook\.body-content-type\s*=\s*"?text/i.test(prefer),
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

/** What a message says by itself, as it also stands within an item attachment. */
export function contentJson(content: Message, { isText }: Preferences): JsonObject {
  const text = content.bodyType === 'text' ? content.body : textOfHtml(content.body);
  return {
    categories: content.categories,
    receivedDateTime: instant(content.receivedMs),
    sentDateTime: instant(content.sentMs),
    hasAttachments: content.attachments.some(({ isInline }) => !isInline),
    internetMessageId: content.internetMessageId,
    subject: content.subject,
    bodyPreview: text.slice(0, 255),
    importance: content.importance,
    conversationId: content.conversationId,
    conversationIndex: Buffer.from(content.conversationId).subarray(0, 22).toString('base64'),
    isDeliveryReceiptRequested: content.isDeliveryReceiptRequested,
    isReadReceiptRequested: content.isReadReceiptRequested,
    isRead: content.isRead,
    isDraft: content.isDraft,
    inferenceClassification: content.inferenceClassification,
    body: isText ? { contentType: 'text', content: text } : { contentType: content.bodyType, content: content.body },
    ...(content.sender ? { sender: recipient(content.sender) } : {}),
    ...(content.from ? { from: recipient(content.from) } : {}),
    toRecipients: content.to.map(recipient),
    ccRecipients: content.cc.map(recipient),
    bccRecipients: content.bcc.map(recipient),
    replyTo: content.replyTo.map(recipient),
    flag: { flagStatus: content.flag.flagStatus, ...content.flag.times },
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

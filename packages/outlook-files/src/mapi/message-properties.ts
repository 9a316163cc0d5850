import type { MessageDetails, Recipient } from '../message.ts';
import { flatEntryList, recipientProperties, senderProperties, shownName } from './addresses.ts';
import { itemObject, MESSAGE_FLAG } from './item-properties.ts';
import type { MapiMessage } from './mapi-object.ts';

const ICON = { read: 0x100, unread: 0x101, unsent: 0x103, replied: 0x105, forwarded: 0x106 } as const;
const LAST_VERB = { replied: 102, 'replied-all': 103, forwarded: 104 } as const;

/** A mail message, [MS-OXOMSG] 2.2. */
export function messageObject(message: MessageDetails): MapiMessage {
  const object = itemObject(message, {
    messageClass: message.messageClass ?? 'IPM.Note',
    icon: icon(message),
    flags:
      (message.isRead ? MESSAGE_FLAG.read : 0) |
      (message.isDraft ? MESSAGE_FLAG.unsent : 0) |
      (message.isFromMe ? MESSAGE_FLAG.fromMe : 0),
    date: message.receivedAt ?? message.sentAt,
    topic: message.conversationTopic,
    conversationIndex: message.conversationIndex,
  });
  const { properties } = object;
  const recipients = message.recipients ?? [];
  object.recipients.push(...recipients.map(recipientProperties));
  senderProperties(properties, message.from ?? message.sender, message.sender);
  properties
    .text(0x0e04, displayList(recipients, 'to'))
    .text(0x0e03, displayList(recipients, 'cc'))
    .text(0x0e02, displayList(recipients, 'bcc'))
    .time(0x0039, message.sentAt ?? message.receivedAt)
    .time(0x0e06, message.receivedAt ?? message.sentAt)
    .text(0x1035, message.internetMessageId)
    .text(0x1039, message.references)
    .text(0x1042, message.inReplyTo)
    .text(0x007d, message.internetHeaders)
    .flag(0x0023, message.wantsDeliveryReceipt ?? false)
    .flag(0x0029, message.wantsReadReceipt ?? false);
  if (message.replyTo && message.replyTo.length > 0) {
    properties.binary(0x004f, flatEntryList(message.replyTo)).text(0x0050, message.replyTo.map(shownName).join('; '));
  }
  if (message.answered) {
    properties.integer(0x1081, LAST_VERB[message.answered.how]).time(0x1082, message.answered.at);
  }
  return object;
}

/** "Ann; Bob", as Outlook shows it in lists. */
export function displayList(recipients: readonly Recipient[], kind: Recipient['kind']): string {
  return recipients
    .filter((recipient) => recipient.kind === kind)
    .map(shownName)
    .join('; ');
}

function icon(message: MessageDetails): number {
  if (message.isDraft) {
    return ICON.unsent;
  }
  if (message.answered) {
    return message.answered.how === 'forwarded' ? ICON.forwarded : ICON.replied;
  }
  return message.isRead ? ICON.read : ICON.unread;
}

import type { EmailAddress, ItemDetails } from './item-details.ts';

export interface Recipient extends EmailAddress {
  kind: 'to' | 'cc' | 'bcc';
}

/** A mail message. Dates are instants; a message without any date sorts as of 1601 in Outlook. */
export interface MessageDetails extends ItemDetails {
  kind: 'message';
  /** Default `IPM.Note`. */
  messageClass?: string;
  /** In whose name it was sent. */
  from?: EmailAddress;
  /** Who sent it, where that is not `from`. */
  sender?: EmailAddress;
  replyTo?: readonly EmailAddress[];
  recipients?: readonly Recipient[];
  sentAt?: Date;
  receivedAt?: Date;
  /** With angle brackets, as in the header. */
  internetMessageId?: string;
  inReplyTo?: string;
  references?: string;
  /** The raw header block, as received. */
  internetHeaders?: string;
  isRead?: boolean;
  isDraft?: boolean;
  /** The mailbox owner wrote it: it belongs into Sent Items. */
  isFromMe?: boolean;
  wantsDeliveryReceipt?: boolean;
  wantsReadReceipt?: boolean;
  answered?: { how: 'replied' | 'replied-all' | 'forwarded'; at?: Date };
  /** Default: the subject without its prefix. */
  conversationTopic?: string;
  /** PidTagConversationIndex, [MS-OXOMSG] 2.2.1.3. Default: made from the topic and the date. */
  conversationIndex?: Uint8Array;
  /** Sentences for a report: what `readMime` could not split into parts, and in which form it is here instead. They are not written. */
  losses?: readonly string[];
}

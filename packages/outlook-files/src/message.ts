import type { OutlookAppointment } from './appointment.ts';
import type { OutlookContact } from './contact.ts';
import type { OutlookNote } from './note.ts';
import type { OutlookTask } from './task.ts';

/** Anything that can be written: into a folder of a PST, as an MSG file, or attached to another item. */
export type OutlookItem = OutlookMessage | OutlookAppointment | OutlookContact | OutlookTask | OutlookNote;

export interface EmailAddress {
  name?: string;
  /** SMTP address. Empty where the source knows only a name. */
  email: string;
}

export interface Recipient extends EmailAddress {
  kind: 'to' | 'cc' | 'bcc';
}

export interface FileAttachment {
  kind: 'file';
  name: string;
  contentType?: string;
  /** Without angle brackets. An HTML body refers to it as `cid:…`. */
  contentId?: string;
  contentLocation?: string;
  /** Shown inside the body and not in the list of attachments. */
  isInline?: boolean;
  /** Exact. Writing fails where the stream gives more or less: a torn source must not look like a whole attachment. */
  sizeBytes: number;
  /** Called once, when the bytes are written. */
  content: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** An item inside an item: a forwarded message, an invitation. */
export interface ItemAttachment {
  kind: 'item';
  /** Default: the item's subject. */
  name?: string;
  item: OutlookItem;
}

export type Attachment = FileAttachment | ItemAttachment;

/** A follow-up flag. */
export interface Flag {
  status: 'flagged' | 'complete';
  text?: string;
  startsAt?: Date;
  dueAt?: Date;
  completedAt?: Date;
}

/** What every kind of item has. */
export interface ItemDetails {
  subject?: string;
  bodyText?: string;
  bodyHtml?: string;
  categories?: readonly string[];
  importance?: 'low' | 'normal' | 'high';
  sensitivity?: 'normal' | 'personal' | 'private' | 'confidential';
  createdAt?: Date;
  modifiedAt?: Date;
  attachments?: readonly Attachment[];
  flag?: Flag;
  /** When Outlook reminds of the item; appointments use `reminderMinutesBefore` instead. */
  remindAt?: Date;
}

/** A mail message. Dates are instants; a message without any date sorts as of 1601 in Outlook. */
export interface OutlookMessage extends ItemDetails {
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
}

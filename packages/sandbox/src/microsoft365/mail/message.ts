export interface EmailAddress {
  name: string;
  address: string;
}

export interface MessageFlag {
  flagStatus: 'notFlagged' | 'flagged' | 'complete';
  /** Other properties of the flag as they go over the wire: due, start, completed. */
  times: Readonly<Record<string, unknown>>;
}

interface AttachmentFacts {
  /** Within its item, for life. */
  number: number;
  name: string;
  contentType: string;
  isInline: boolean;
  /** Without the angle brackets. */
  contentId: string | null;
  modifiedMs: number;
}

/** A file; its bytes may be made when they are asked for. */
export interface FileAttachment extends AttachmentFacts {
  kind: 'file';
  size: number;
  bytes: () => Buffer;
}

/** Another message, whole. */
export interface ItemAttachment extends AttachmentFacts {
  kind: 'item';
  message: Message;
}

/** A link to a file in the cloud. */
export interface ReferenceAttachment extends AttachmentFacts {
  kind: 'reference';
  size: number;
}

export type Attachment = FileAttachment | ItemAttachment | ReferenceAttachment;

/** A message; every property as Graph has it, and the MIME it leaves as. */
export interface Message {
  kind: 'message';
  subject: string;
  bodyType: 'text' | 'html';
  body: string;
  from: EmailAddress | null;
  sender: EmailAddress | null;
  to: readonly EmailAddress[];
  cc: readonly EmailAddress[];
  bcc: readonly EmailAddress[];
  replyTo: readonly EmailAddress[];
  sentMs: number;
  receivedMs: number;
  importance: 'low' | 'normal' | 'high';
  categories: readonly string[];
  flag: MessageFlag;
  isRead: boolean;
  isDraft: boolean;
  isReadReceiptRequested: boolean;
  isDeliveryReceiptRequested: boolean;
  inferenceClassification: 'focused' | 'other';
  internetMessageId: string;
  conversationId: string;
  headers: readonly { name: string; value: string }[];
  attachments: readonly Attachment[];
  /** MAPI class, such as `IPM.Note`. */
  messageClass: string;
  /** Extended properties that were set, by their id in its one spelling. */
  extended: Readonly<Record<string, string>>;
  /** The bytes it was sent as; `undefined` for a message whose MIME is generated from its properties. */
  raw: (() => Buffer) | undefined;
}

/** A message without anything, as a new draft starts. */
export function blankMessage(nowMs: number, id: string, domain: string): Message {
  return {
    kind: 'message',
    subject: '',
    bodyType: 'text',
    body: '',
    from: null,
    sender: null,
    to: [],
    cc: [],
    bcc: [],
    replyTo: [],
    sentMs: nowMs,
    receivedMs: nowMs,
    importance: 'normal',
    categories: [],
    flag: { flagStatus: 'notFlagged', times: {} },
    isRead: true,
    isDraft: true,
    isReadReceiptRequested: false,
    isDeliveryReceiptRequested: false,
    inferenceClassification: 'focused',
    internetMessageId: `<${id}@${domain}>`,
    conversationId: id,
    headers: [],
    attachments: [],
    messageClass: 'IPM.Note',
    extended: {},
    raw: undefined,
  };
}

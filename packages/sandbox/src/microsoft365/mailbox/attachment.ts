import type { Message } from '../mail/message.ts';

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

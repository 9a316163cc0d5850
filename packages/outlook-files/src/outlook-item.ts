import type { AppointmentDetails } from './appointment.ts';
import type { ContactDetails } from './contact.ts';
import type { MessageDetails } from './message.ts';
import type { NoteDetails } from './note.ts';
import type { TaskDetails } from './task.ts';

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

interface WithAttachments {
  attachments?: readonly Attachment[];
}

export type OutlookMessage = MessageDetails & WithAttachments;
export type OutlookAppointment = AppointmentDetails & WithAttachments;
export type OutlookContact = ContactDetails & WithAttachments;
export type OutlookTask = TaskDetails & WithAttachments;
export type OutlookNote = NoteDetails & WithAttachments;

/** Anything that can be written: into a folder of a PST, as an MSG file, or attached to another item. */
export type OutlookItem = OutlookMessage | OutlookAppointment | OutlookContact | OutlookTask | OutlookNote;

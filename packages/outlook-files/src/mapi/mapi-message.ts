import type { Attachment, OutlookItem } from '../outlook-item.ts';
import { appointmentObject } from './appointment-properties.ts';
import { fileAttachment, itemAttachment } from './attachment-properties.ts';
import { contactObject } from './contact-properties.ts';
import { MESSAGE_FLAG } from './item-properties.ts';
import type { MapiAttachment, MapiMessage } from './mapi-object.ts';
import { messageObject } from './message-properties.ts';
import { COMMON_NAMES } from './named-properties.ts';
import { noteObject } from './note-properties.ts';
import type { PropertyBag } from './property-bag.ts';
import { taskObject } from './task-properties.ts';

const MESSAGE_FLAGS = 0x0e07;
const HAS_ATTACHMENTS = 0x0e1b;

/** An item as the properties that both file formats contain. */
export function mapiMessage(item: OutlookItem): MapiMessage {
  const object = withoutAttachments(item);
  const attachments = item.attachments ?? [];
  object.attachments.unshift(...attachments.map(attachmentObject));
  if (object.attachments.length > 0) {
    const isShown = attachments.some((attachment) => attachment.kind === 'item' || !attachment.isInline);
    markAttachments(object.properties, isShown);
  }
  return object;
}

/**
 * Says that an item has attachments, [MS-OXCMSG] 2.2.1.2 and 2.2.1.6. Where all of them are pictures in the text, exceptions of a series
 * or a contact's photo, it has none in the eyes of its user, and Outlook shows no paper clip: 2.2.1.14.
 */
function markAttachments(properties: PropertyBag, isShown: boolean): void {
  const flags = properties.get(MESSAGE_FLAGS)?.number ?? 0;
  properties
    .integer(MESSAGE_FLAGS, flags | MESSAGE_FLAG.hasAttachments)
    .flag(HAS_ATTACHMENTS, true)
    .flag(COMMON_NAMES.smartNoAttach, isShown ? undefined : true);
}

function withoutAttachments(item: OutlookItem): MapiMessage {
  switch (item.kind) {
    case 'message':
      return messageObject(item);
    case 'appointment':
      return appointmentObject(item);
    case 'contact':
      return contactObject(item);
    case 'task':
      return taskObject(item);
    case 'note':
      return noteObject(item);
  }
}

function attachmentObject(attachment: Attachment): MapiAttachment {
  return attachment.kind === 'item'
    ? itemAttachment(attachment.name || attachment.item.subject || 'item', mapiMessage(attachment.item))
    : fileAttachment(attachment);
}

import type { Attachment, OutlookItem } from '../outlook-item.ts';
import { appointmentObject } from './appointment-properties.ts';
import { fileAttachment, itemAttachment } from './attachment-properties.ts';
import { contactObject } from './contact-properties.ts';
import { MESSAGE_FLAG } from './item-properties.ts';
import type { MapiAttachment, MapiMessage } from './mapi-object.ts';
import { messageObject } from './message-properties.ts';
import { noteObject } from './note-properties.ts';
import { taskObject } from './task-properties.ts';

const MESSAGE_FLAGS = 0x0e07;
const HAS_ATTACHMENTS = 0x0e1b;

/** An item as the properties both file formats hold. */
export function mapiMessage(item: OutlookItem): MapiMessage {
  const object = withoutAttachments(item);
  const attachments = item.attachments ?? [];
  object.attachments.unshift(...attachments.map(attachmentObject));
  // What is shown inside the body does not make an item one with attachments: Outlook shows no paper clip for it.
  if (attachments.some((attachment) => attachment.kind === 'item' || !attachment.isInline)) {
    const flags = object.properties.get(MESSAGE_FLAGS)?.number ?? 0;
    object.properties.integer(MESSAGE_FLAGS, flags | MESSAGE_FLAG.hasAttachments).flag(HAS_ATTACHMENTS, true);
  }
  return object;
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

import { extname } from 'node:path';
import type { FileAttachment } from '../outlook-item.ts';
import type { MapiAttachment, MapiMessage } from './mapi-object.ts';
import { PropertyBag } from './property-bag.ts';

const BY_VALUE = 1;
const EMBEDDED = 5;
const NOT_IN_TEXT = -1;
const REFERRED_TO_BY_HTML = 4;
const ATTACHMENT_OBJECT = 7;
/** PidTagAttachmentFlags of an exception. */
const EXCEPTION = 2;

/** A file's properties, [MS-OXCMSG] 2.2.2. */
export function fileAttachment(file: FileAttachment): MapiAttachment {
  const name = file.name || 'attachment';
  const properties = baseProperties(name, BY_VALUE)
    .text(0x3703, extname(name))
    .text(0x370e, file.contentType)
    .text(0x3712, file.contentId)
    .text(0x3713, file.contentLocation)
    .integer(0x3714, file.isInline ? REFERRED_TO_BY_HTML : 0)
    .flag(0x7ffe, file.isInline ?? false);
  return { properties, content: { kind: 'bytes', sizeBytes: file.sizeBytes, name, stream: file.content } };
}

/** @param message the attached item, as properties */
export function itemAttachment(name: string, message: MapiMessage): MapiAttachment {
  const properties = baseProperties(name, EMBEDDED).integer(0x3714, 0).flag(0x7ffe, false);
  return { properties, content: { kind: 'message', message } };
}

/** An occurrence of a series that differs from it, hidden in the series: [MS-OXOCAL] 2.2.10.1. */
export function exceptionAttachment(message: MapiMessage, startsAt: Date, endsAt: Date): MapiAttachment {
  const properties = baseProperties('Untitled', EMBEDDED)
    .integer(0x3714, 0)
    .time(0x7ffb, startsAt)
    .time(0x7ffc, endsAt)
    .integer(0x7ffd, EXCEPTION)
    .flag(0x7ffe, true);
  return { properties, content: { kind: 'message', message } };
}

function baseProperties(name: string, method: number): PropertyBag {
  return new PropertyBag()
    .integer(0x0ffe, ATTACHMENT_OBJECT)
    .text(0x3001, name)
    .text(0x3704, name)
    .integer(0x3705, method)
    .text(0x3707, name)
    .integer(0x370b, NOT_IN_TEXT);
}

/** The picture of a contact, [MS-OXOCNTC] 2.2.1.8. */
export function contactPhoto(photo: Uint8Array): MapiAttachment {
  const name = 'ContactPicture.jpg';
  const properties = baseProperties(name, BY_VALUE)
    .text(0x3703, '.jpg')
    .text(0x370e, 'image/jpeg')
    .integer(0x3714, 0)
    .flag(0x7ffe, false)
    .flag(0x7fff, true);
  return { properties, content: { kind: 'bytes', sizeBytes: photo.length, name, stream: () => [photo] } };
}

import type { ItemDetails } from '../item-details.ts';
import { conversationIndex } from './conversation.ts';
import { flagProperties } from './flag-properties.ts';
import type { MapiMessage } from './mapi-object.ts';
import { COMMON_NAMES, TEXT_NAMES } from './named-properties.ts';
import { PropertyBag } from './property-bag.ts';
import { randomKey } from './random-key.ts';
import { splitSubject } from './subject.ts';

const IMPORTANCE = { low: 0, normal: 1, high: 2 } as const;
const SENSITIVITY = { normal: 0, personal: 1, private: 2, confidential: 3 } as const;
const UTF8_CODEPAGE = 65001;
const ENGLISH = 1033;
const NATIVE_BODY = { none: 0, text: 1, html: 3 } as const;
export const MESSAGE_FLAG = { read: 1, unsent: 8, hasAttachments: 0x10, fromMe: 0x20 } as const;

export interface ItemKind {
  messageClass: string;
  icon: number;
  /** Of `MESSAGE_FLAG`. */
  flags: number;
  /** When the item was created, where it does not say so. */
  date: Date | undefined;
  topic?: string | undefined;
  conversationIndex?: Uint8Array | undefined;
}

/** What every item has, whatever its kind: [MS-OXCMSG] 2.2.1. Attachments are added by who knows them. */
export function itemObject(item: ItemDetails, kind: ItemKind): MapiMessage {
  const properties = new PropertyBag();
  const importance = IMPORTANCE[item.importance ?? 'normal'];
  const sensitivity = item.sensitivity ?? 'normal';
  properties
    .text(0x001a, kind.messageClass)
    .integer(0x0017, importance)
    .integer(0x0026, importance - 1)
    .integer(0x0036, SENSITIVITY[sensitivity])
    .integer(0x0e07, kind.flags)
    .integer(0x0e17, 0)
    .flag(0x0e1b, false)
    .integer(0x0ffe, 5)
    .integer(0x1080, kind.icon)
    .binary(0x300b, randomKey())
    .integer(0x3fde, UTF8_CODEPAGE)
    .integer(0x3ff1, ENGLISH)
    .integer(0x3ffd, UTF8_CODEPAGE)
    .texts(TEXT_NAMES.keywords, item.categories)
    .flag(COMMON_NAMES.isPrivate, sensitivity === 'private');
  subjectProperties(properties, item, kind);
  bodyProperties(properties, item);
  flagProperties(properties, item);
  return { properties, recipients: [], attachments: [] };
}

function subjectProperties(properties: PropertyBag, item: ItemDetails, kind: ItemKind): void {
  const { prefix, rest } = splitSubject(item.subject ?? '');
  const topic = kind.topic ?? rest;
  const date = firstDate(item.createdAt, kind.date, item.modifiedAt);
  properties
    .textOrEmpty(0x0037, item.subject)
    .text(0x003d, prefix)
    .text(0x0e1d, rest)
    .textOrEmpty(0x0070, topic)
    .binary(0x0071, kind.conversationIndex ?? conversationIndex(topic, firstDate(kind.date, date)))
    .time(0x3007, date)
    .time(0x3008, firstDate(item.modifiedAt, kind.date, date));
}

/** The first that is a date: an item without its dates is none to Outlook, [MS-PST] 2.4.5.1.1. */
function firstDate(...dates: readonly (Date | undefined)[]): Date {
  return dates.find((date) => date !== undefined && !Number.isNaN(date.getTime())) ?? new Date(0);
}

function bodyProperties(properties: PropertyBag, item: ItemDetails): void {
  const native = item.bodyHtml ? NATIVE_BODY.html : item.bodyText ? NATIVE_BODY.text : NATIVE_BODY.none;
  properties.text(0x1000, item.bodyText).integer(0x1016, native);
  if (item.bodyHtml) {
    properties.binary(0x1013, Buffer.from(item.bodyHtml, 'utf8'));
  }
}

import { sizeOf } from '../mailbox/item-size.ts';
import type { JsonObject } from '../wire/json.ts';
import { objectsOf, textOf } from '../wire/json.ts';
import type { Message } from './message.ts';

/** One spelling of a property's id: the type as written, the tag in lower case hex without leading zeros. */
export function normalizePropertyId(id: string): string {
  const tag = /^\s*(\w+)\s+0x0*([0-9a-f]+)\s*$/i.exec(id);
  return tag ? `${tag[1]} 0x${tag[2]?.toLowerCase()}` : id.trim();
}

const flagBits = { read: 0x1, unsent: 0x8, hasAttachments: 0x10 };

/** The ids of MS-OXPROPS an importer sets and an engine asks for. */
const messageFlags = 'Integer 0xe07';
const deliveryTime = 'SystemTime 0xe06';
const submitTime = 'SystemTime 0x39';
const messageClass = 'String 0x1a';
/** Read-only: the size is computed from the message. */
const messageSize = 'Integer 0xe08';

const instant = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

/** The value of an extended property: what was set, or what the message itself says. */
function extendedValue(message: Message, id: string): string | undefined {
  switch (id) {
    case messageFlags:
      return String(
        (message.isRead ? flagBits.read : 0) |
          (message.isDraft ? flagBits.unsent : 0) |
          (message.attachments.length > 0 ? flagBits.hasAttachments : 0),
      );
    case deliveryTime:
      return instant(message.receivedMs);
    case submitTime:
      return instant(message.sentMs);
    case messageClass:
      return message.messageClass;
    case messageSize:
      return String(sizeOf(message));
    default:
      return message.extended[id];
  }
}

/** `$expand=singleValueExtendedProperties($filter=id eq '…' or id eq '…')`: those of the asked ones that exist. */
export function expandExtended(message: Message, options: string): JsonObject[] | undefined {
  const asked = [...options.matchAll(/id\s+eq\s+'((?:[^']|'')*)'/gi)].map(([, id = '']) => normalizePropertyId(id));
  const found = asked.flatMap((id) => {
    const value = extendedValue(message, id);
    return value === undefined ? [] : [{ id, value }];
  });
  return found.length > 0 ? found : undefined;
}

/** Reads `singleValueExtendedProperties`: those that change the message itself, and those that are only stored. */
export function readExtended(value: unknown): Partial<Message> {
  const extended: Record<string, string> = {};
  const changes: Partial<Message> = {};
  for (const property of objectsOf(value)) {
    const id = normalizePropertyId(textOf(property['id']) ?? '');
    const text = textOf(property['value']) ?? '';
    if (id === messageFlags) {
      changes.isDraft = (Number(text) & flagBits.unsent) !== 0;
      changes.isRead = (Number(text) & flagBits.read) !== 0;
    } else if (id === deliveryTime) changes.receivedMs = Date.parse(text);
    else if (id === submitTime) changes.sentMs = Date.parse(text);
    else if (id === messageClass) changes.messageClass = text;
    else extended[id] = text;
  }
  return { ...changes, extended };
}

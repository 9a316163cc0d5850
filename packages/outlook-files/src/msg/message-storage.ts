import { checkedContent } from '../mapi/checked-content.ts';
import { guidBytes } from '../mapi/guid.ts';
import type { MapiAttachment, MapiMessage } from '../mapi/mapi-object.ts';
import { FIRST_NAMED_ID, nameMap } from '../mapi/name-map.ts';
import type { NamedProperty } from '../mapi/named-properties.ts';
import type { Property, PropertyBag } from '../mapi/property-bag.ts';
import { fixedBytes, TYPE } from '../mapi/property-types.ts';
import type { Storage, Stream } from './storage.ts';
import { streamOf } from './storage.ts';

const MESSAGE_CLASS_ID = guidBytes('00020D0B-0000-0000-C000-000000000046');
const NAME_BUCKETS = 31;
const READABLE_AND_WRITABLE = 6;
const ATTACH_DATA = 0x3701;
/** Declares that all text is Unicode: PidTagStoreSupportMask. */
const UNICODE_STORE = 0x00040000;
const HEADER_BYTES = { message: 32, embedded: 24, other: 8 } as const;

/** The ids named properties have in one file: given as they are met. */
class Names {
  readonly #ids = new Map<NamedProperty, number>();

  idOf(named: NamedProperty): number {
    const id = this.#ids.get(named) ?? FIRST_NAMED_ID + this.#ids.size;
    this.#ids.set(named, id);
    return id;
  }

  storage(): Storage {
    const { sets, entries, strings, buckets } = nameMap([...this.#ids.keys()], NAME_BUCKETS);
    const streams = [
      streamOf(valueName(0x0002, TYPE.binary), sets),
      streamOf(valueName(0x0003, TYPE.binary), entries),
      streamOf(valueName(0x0004, TYPE.binary), strings),
      ...[...buckets].map(([id, members]) => streamOf(valueName(id, TYPE.binary), members)),
    ];
    return { name: '__nameid_version1.0', children: streams };
  }
}

/** An item as the storage of an MSG file, [MS-OXMSG] 2. */
export function messageStorage(message: MapiMessage): Storage {
  const names = new Names();
  message.properties.integer(0x340d, UNICODE_STORE);
  const children = messageChildren(message, names, HEADER_BYTES.message);
  return { name: 'Root Entry', classId: MESSAGE_CLASS_ID, children: [names.storage(), ...children] };
}

function messageChildren(message: MapiMessage, names: Names, headerBytes: number): (Storage | Stream)[] {
  const header = Buffer.alloc(headerBytes);
  for (const [index, count] of [message.recipients.length, message.attachments.length].entries()) {
    header.writeUInt32LE(count, 8 + index * 4);
    header.writeUInt32LE(count, 16 + index * 4);
  }
  return [
    ...propertyStreams(header, message.properties, names),
    ...message.recipients.map((recipient, index) => ({
      name: `__recip_version1.0_#${hex(index)}`,
      children: propertyStreams(Buffer.alloc(HEADER_BYTES.other), recipient.integer(0x3000, index), names),
    })),
    ...message.attachments.map((attachment, index) => attachmentStorage(attachment, index, names)),
  ];
}

function attachmentStorage(attachment: MapiAttachment, index: number, names: Names): Storage {
  const { content } = attachment;
  const properties = attachment.properties.integer(0x0e21, index);
  const header = Buffer.alloc(HEADER_BYTES.other);
  const storage = { name: `__attach_version1.0_#${hex(index)}` };
  if (content.kind === 'message') {
    const children = messageChildren(content.message, names, HEADER_BYTES.embedded);
    const record = valueRecord(ATTACH_DATA, TYPE.object, 0xffffffff, 1);
    const embedded = { name: valueName(ATTACH_DATA, TYPE.object), children };
    return { ...storage, children: [...propertyStreams(header, properties, names, [record]), embedded] };
  }
  const { sizeBytes } = content;
  const record = valueRecord(ATTACH_DATA, TYPE.binary, sizeBytes, 0);
  const data = { name: valueName(ATTACH_DATA, TYPE.binary), sizeBytes, content: () => checkedContent(content) };
  return { ...storage, children: [...propertyStreams(header, properties, names, [record]), data] };
}

/** The stream of all properties, and one for each value that does not fit into it. */
function propertyStreams(
  header: Buffer,
  properties: PropertyBag,
  names: Names,
  more: readonly Buffer[] = [],
): Stream[] {
  const records: Buffer[] = [header, ...more];
  const values: Stream[] = [];
  for (const property of properties) {
    const id = typeof property.key === 'number' ? property.key : names.idOf(property.key);
    if (fixedBytes(property.type) > 0) {
      records.push(fixedRecord(id, property));
    } else {
      const { streams, sizeBytes } = valueStreams(id, property);
      records.push(valueRecord(id, property.type, sizeBytes, 0));
      values.push(...streams);
    }
  }
  return [streamOf('__properties_version1.0', Buffer.concat(records)), ...values];
}

function valueStreams(id: number, property: Property): { streams: Stream[]; sizeBytes: number } {
  const name = valueName(id, property.type);
  if (property.type !== TYPE.multipleString) {
    const end = property.type === TYPE.string ? 2 : 0; // the size counts an end mark the stream does not have
    return { streams: [streamOf(name, property.bytes)], sizeBytes: property.bytes.length + end };
  }
  const parts = (property.parts ?? []).map((part) => Buffer.concat([part, Buffer.alloc(2)]));
  const lengths = Buffer.alloc(parts.length * 4);
  parts.forEach((part, index) => {
    lengths.writeUInt32LE(part.length, index * 4);
  });
  const streams = parts.map((part, index) => streamOf(`${name}-${hex(index)}`, part));
  return { streams: [streamOf(name, lengths), ...streams], sizeBytes: lengths.length };
}

function fixedRecord(id: number, property: Property): Buffer {
  const record = valueRecord(id, property.type, 0, 0);
  if (fixedBytes(property.type) <= 4) {
    record.writeUInt32LE(property.number, 8);
  } else {
    property.bytes.copy(record, 8);
  }
  return record;
}

function valueRecord(id: number, type: number, sizeBytes: number, reserved: number): Buffer {
  const record = Buffer.alloc(16);
  record.writeUInt16LE(type, 0);
  record.writeUInt16LE(id, 2);
  record.writeUInt32LE(READABLE_AND_WRITABLE, 4);
  record.writeUInt32LE(sizeBytes, 8);
  record.writeUInt32LE(reserved, 12);
  return record;
}

function valueName(id: number, type: number): string {
  return `__substg1.0_${hex(id * 0x10000 + type)}`;
}

function hex(value: number): string {
  return value.toString(16).toUpperCase().padStart(8, '0');
}

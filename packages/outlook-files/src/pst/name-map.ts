import type { NamedProperty } from '../mapi/named-properties.ts';
import { NAMED_PROPERTIES } from '../mapi/named-properties.ts';
import { PropertyBag } from '../mapi/property-bag.ts';
import { pstCrc } from './crc.ts';

const FIRST_NAMED_ID = 0x8000;
const BUCKETS = 251;
const FIRST_BUCKET = 0x1000;
/** Sets below this index are known to every reader and not listed. */
const FIRST_LISTED_SET = 3;

const IDS = new Map(NAMED_PROPERTIES.map((named, index) => [named, FIRST_NAMED_ID + index]));

/** The id a named property has in every PST written here. */
export function idOfName(named: NamedProperty): number {
  const id = IDS.get(named);
  if (id === undefined) {
    throw new TypeError(`The named property ${named.name} is not in the list of those that are written.`);
  }
  return id;
}

/** The name-to-id map, [MS-PST] 2.4.7: the same for every file, as ids are given by place in our list. */
export function nameMapProperties(): PropertyBag {
  const sets = [...new Set(NAMED_PROPERTIES.map((named) => named.set).filter((set) => set.wellKnownIndex === 0))];
  const strings: Buffer[] = [];
  const buckets = new Map<number, Buffer[]>();
  const entries = NAMED_PROPERTIES.map((named, index) => {
    const setIndex = named.set.wellKnownIndex || sets.indexOf(named.set) + FIRST_LISTED_SET;
    const text = typeof named.name === 'string' ? Buffer.from(named.name, 'utf16le') : undefined;
    const kind = (setIndex << 1) | (text ? 1 : 0);
    const hash = text ? pstCrc(text) : Number(named.name);
    const bucket = ((hash ^ kind) >>> 0) % BUCKETS;
    const identifier = text ? appendString(strings, text) : Number(named.name);
    buckets.set(bucket, [...(buckets.get(bucket) ?? []), entry(text ? hash : identifier, kind, index)]);
    return entry(identifier, kind, index);
  });
  const bag = new PropertyBag()
    .integer(0x0001, BUCKETS)
    .binary(0x0002, Buffer.concat(sets.map((set) => set.guid)))
    .binary(0x0003, Buffer.concat(entries))
    .binary(0x0004, Buffer.concat(strings));
  for (const [bucket, members] of buckets) {
    bag.binary(FIRST_BUCKET + bucket, Buffer.concat(members));
  }
  return bag;
}

/** NAMEID, 2.4.7.1. */
function entry(identifier: number, kind: number, index: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(identifier >>> 0, 0);
  bytes.writeUInt16LE(kind, 4);
  bytes.writeUInt16LE(index, 6);
  return bytes;
}

/** Appends a name, its length before it and padded to four bytes. Returns where it begins. */
function appendString(strings: Buffer[], text: Buffer): number {
  const start = strings.reduce((sum, part) => sum + part.length, 0);
  const padded = Buffer.alloc(4 + Math.ceil(text.length / 4) * 4);
  padded.writeUInt32LE(text.length);
  text.copy(padded, 4);
  strings.push(padded);
  return start;
}

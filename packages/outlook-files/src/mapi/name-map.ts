import { outlookCrc } from '../crc.ts';
import type { NamedProperty } from './named-properties.ts';

/** Where the ids of named properties begin. */
export const FIRST_NAMED_ID = 0x8000;
const FIRST_BUCKET = 0x1000;
/** Sets below this index are known to every reader and not listed. */
const FIRST_LISTED_SET = 3;

/** The parts of a map from ids to names, alike in both formats: [MS-PST] 2.4.7, [MS-OXMSG] 2.2.3. */
export interface NameMap {
  sets: Buffer;
  entries: Buffer;
  strings: Buffer;
  /** By property id: entries again, by which a reader finds the id of a name. */
  buckets: Map<number, Buffer>;
}

/** @param names in the order of their ids */
export function nameMap(names: readonly NamedProperty[], bucketCount: number): NameMap {
  const sets = [...new Set(names.map((named) => named.set).filter((set) => set.wellKnownIndex === 0))];
  const strings: Buffer[] = [];
  const buckets = new Map<number, Buffer>();
  const entries = names.map((named, index) => {
    const setIndex = named.set.wellKnownIndex || sets.indexOf(named.set) + FIRST_LISTED_SET;
    const text = typeof named.name === 'string' ? Buffer.from(named.name, 'utf16le') : undefined;
    const kind = (setIndex << 1) | (text ? 1 : 0);
    const hash = text ? outlookCrc(text) : Number(named.name);
    const bucket = FIRST_BUCKET + (((hash ^ kind) >>> 0) % bucketCount);
    buckets.set(bucket, Buffer.concat([buckets.get(bucket) ?? Buffer.alloc(0), entry(hash, kind, index)]));
    return entry(text ? appendString(strings, text) : hash, kind, index);
  });
  return {
    sets: Buffer.concat(sets.map((set) => set.guid)),
    entries: Buffer.concat(entries),
    strings: Buffer.concat(strings),
    buckets,
  };
}

function entry(identifier: number, kind: number, index: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(identifier, 0);
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

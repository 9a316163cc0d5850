import { randomUUID } from 'node:crypto';
import { isObject, type JsonObject } from '../json.ts';

/** Where a reply has bytes as base64: in a member of the entries of a list, such as `{"value":[{"data":"QUJD…"}]}`. */
export interface PlaceOfBytes {
  list: string;
  member: string;
  /** Whether the text in that member is base64. */
  isBase64(entry: JsonObject): boolean;
}

/** Shorter texts cost less as JSON. */
const LENGTH_MIN = 256;
const QUOTE = 34;
const PADDING = 61;
/** No reply can contain it, since none was made by this process. */
const MARK = `bytes-${randomUUID()}-`;

/** Base64 within the text of a reply. */
interface Range {
  start: number;
  end: number;
  /** Of what it encodes. */
  sizeBytes: number;
}

/**
 * The JSON of a reply, in which long base64 of the given place is bytes already. Most of such a reply is base64, which costs less to decode from the
 * bytes of the reply than to parse, hold as text and decode. What is written in any unusual way, such as with escapes or line breaks, stays a text.
 * @throws SyntaxError for what is no JSON
 */
export function jsonWithBytes(reply: Buffer, place: PlaceOfBytes): unknown {
  const ranges = base64In(reply, place.member);
  return (ranges === null ? null : withBytes(reply, ranges, place)) ?? JSON.parse(reply.toString());
}

/**
 * Finds the long texts that follow the name of the member. A quote within a text is escaped, so that in JSON a name with its quotes, a colon and a
 * quote are the beginning of a text wherever they are found. `null` where there is none, and where one of them is no plain base64.
 */
function base64In(reply: Buffer, member: string): Range[] | null {
  const name = `"${member}":"`;
  const ranges: Range[] = [];
  for (let at = reply.indexOf(name); at >= 0; ) {
    const start = at + name.length;
    const end = reply.indexOf(QUOTE, start);
    if (end < 0) return null;
    if (end - start >= LENGTH_MIN) {
      if ((end - start) % 4 !== 0) return null;
      ranges.push({ start, end, sizeBytes: decodedSize(reply, start, end) });
    }
    at = reply.indexOf(name, end);
  }
  return ranges.length === 0 ? null : ranges;
}

function decodedSize(reply: Buffer, start: number, end: number): number {
  const padding = reply[end - 1] !== PADDING ? 0 : reply[end - 2] !== PADDING ? 1 : 2;
  return ((end - start) / 4) * 3 - padding;
}

/** `null` where not all of the ranges are base64 in their place. */
function withBytes(reply: Buffer, ranges: readonly Range[], { list, member, isBase64 }: PlaceOfBytes): unknown {
  const bytes = decoded(reply, ranges);
  const parsed = bytes === null ? null : parsedWithout(reply, ranges);
  if (bytes === null || !isObject(parsed)) return null;
  const entries: unknown = parsed[list];
  if (!Array.isArray(entries)) return null;
  let found = 0;
  const whole = entries.map((entry: unknown) => {
    const text = isObject(entry) ? entry[member] : undefined;
    if (!isObject(entry) || typeof text !== 'string' || !text.startsWith(MARK) || !isBase64(entry)) return entry;
    found += 1;
    return { ...entry, [member]: bytes[Number(text.slice(MARK.length))] };
  });
  return found === ranges.length ? { ...parsed, [list]: whole } : null;
}

/**
 * What the ranges encode, in one piece of memory. `null` where one of them has anything but digits and padding: whatever is passed over in decoding
 * makes the result shorter.
 */
function decoded(reply: Buffer, ranges: readonly Range[]): Buffer[] | null {
  const memory = Buffer.allocUnsafeSlow(ranges.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0));
  const bytes: Buffer[] = [];
  let at = 0;
  for (const { start, end, sizeBytes } of ranges) {
    if (memory.write(reply.toString('latin1', start, end), at, sizeBytes, 'base64') !== sizeBytes) return null;
    bytes.push(memory.subarray(at, at + sizeBytes));
    at += sizeBytes;
  }
  return bytes;
}

/** The JSON with a mark in the place of each range; `null` for what is no JSON, with or without them. */
function parsedWithout(reply: Buffer, ranges: readonly Range[]): unknown {
  let text = '';
  let at = 0;
  for (const [index, { start, end }] of ranges.entries()) {
    text += `${reply.toString('utf8', at, start)}${MARK}${index}`;
    at = end;
  }
  try {
    return JSON.parse(text + reply.toString('utf8', at));
  } catch {
    return null;
  }
}

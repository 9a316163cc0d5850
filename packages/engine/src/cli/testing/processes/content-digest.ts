import { createHash } from 'node:crypto';

/** A content as something to compare: all bytes; of properties what they say, as a single item comes with an envelope that one of a list has not. */
export function contentDigest(name: string, bytes: Buffer): string {
  const compared = name === 'properties' ? JSON.stringify(inOrder(JSON.parse(bytes.toString('utf8')))) : bytes;
  return createHash('sha256').update(compared).digest('hex');
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => name !== '@odata.context');
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)] as const).sort(byName));
}

const byName = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]) => (one < other ? -1 : 1);

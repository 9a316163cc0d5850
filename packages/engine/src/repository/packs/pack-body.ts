import type { KeyObject } from 'node:crypto';
import type { ChunkEntry, ChunkPlace } from '../commit.ts';
import { decompressed } from '../compression.ts';
import { keyedName } from '../keys.ts';
import { GROUP_BYTES } from './chunk-group.ts';
import { GROUP, openAt } from './pack-layout.ts';

/** A group has less, as a rule; a reader gives no more memory to one than to a chunk. */
const GROUP_BYTES_MAX = 4 * 2 ** 20;

type BodyPlace = Pick<ChunkPlace, 'offset' | 'plainBytes' | 'isCompressed' | 'groupStart'>;

/** The plain bytes of what is sealed at a place: a chunk, or the group that it is in. @returns `null` when they were changed */
export function openBody(packKey: KeyObject, id: string, place: BodyPlace, sealed: Buffer): Buffer | null {
  const isInGroup = place.groupStart !== undefined;
  const stored = openAt(packKey, place.offset, isInGroup ? GROUP : Buffer.from(id, 'base64url'), sealed);
  if (stored === null || !place.isCompressed) return stored;
  return isInGroup ? decompressed(stored, GROUP_BYTES_MAX, GROUP_BYTES) : decompressed(stored, place.plainBytes);
}

/** A chunk of an opened body. @returns `null` when the bytes are not those of this chunk */
export function chunkIn(
  body: Buffer,
  chunkNames: KeyObject,
  { id, plainBytes, groupStart }: Pick<ChunkEntry, 'id' | 'plainBytes' | 'groupStart'>,
): Buffer | null {
  const plain = groupStart === undefined ? body : body.subarray(groupStart, groupStart + plainBytes);
  return plain.length === plainBytes && keyedName(chunkNames, plain).toString('base64url') === id ? plain : null;
}

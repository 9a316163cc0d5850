import { createHash } from 'node:crypto';
import type { ExportParts } from '../export-parts.ts';
import type { OpenPart } from '../item-parts.ts';
import { PICTURE_BYTES_MAX, pictureTypeOf } from './picture.ts';
import { type Fact, factsOf, type ItemPreview } from './preview.ts';
import { textOfBytes } from './text-of-bytes.ts';

/** More than a person reads, and little enough for a browser to lay out at once. */
const TEXT_CHARACTERS_MAX = 200_000;
/** Room for as many characters of any script. */
const HEAD_BYTES_MAX = 4 * TEXT_CHARACTERS_MAX;
/** A larger file is not read to its end to show it. */
const HASHED_BYTES_MAX = 64 * 2 ** 20;

/** A file by its beginning: text as text, whatever it calls itself, pictures by their part, and of all others what they are. */
export async function partPreview(
  { signal }: ExportParts,
  open: OpenPart,
): Promise<Pick<ItemPreview, 'text' | 'isCut' | 'picture' | 'facts'>> {
  const { id, sizeBytes } = open.part;
  const { head, sha256 } = await readHead(open, signal);
  const isPicture = sizeBytes <= PICTURE_BYTES_MAX && pictureTypeOf(head) !== null;
  const text = isPicture ? null : textOfBytes(head);
  return {
    text: text?.slice(0, TEXT_CHARACTERS_MAX) ?? null,
    isCut: text !== null && (sizeBytes > head.length || text.length > TEXT_CHARACTERS_MAX),
    picture: isPicture ? id : null,
    facts: partFacts(open, sha256),
  };
}

function partFacts({ part: { contentType, sizeBytes } }: OpenPart, sha256: string | null): Fact[] {
  return [
    { name: 'Size', value: String(sizeBytes), type: 'bytes' },
    ...factsOf({ 'Content type': contentType, 'SHA-256': sha256 }),
  ];
}

async function readHead({ part, bytes }: OpenPart, signal: AbortSignal) {
  const hash = part.sizeBytes <= HASHED_BYTES_MAX ? createHash('sha256') : null;
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of bytes()) {
    signal.throwIfAborted();
    hash?.update(piece);
    if (length < HEAD_BYTES_MAX) pieces.push(piece);
    else if (hash === null) break;
    length += piece.length;
  }
  return { head: Buffer.concat(pieces).subarray(0, HEAD_BYTES_MAX), sha256: hash?.digest('hex') ?? null };
}

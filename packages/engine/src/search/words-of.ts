import PostalMime from 'postal-mime';
import { z } from 'zod';
import type { RepositoryCatalog } from '../catalog/catalog.ts';
import type { ItemVersion, Segment, StoredContent } from '../model/items.ts';
import type { Repository } from '../repository/repository.ts';
import { plainText } from './plain-text.ts';

/** Words beyond this are not searched: nobody looks for the 20,000th word of a log file that somebody mailed. */
export const TEXT_CHARACTERS_MAX = 65_536;
/** A part in base64 larger than this is an attachment, not a text. */
const ENCODED_TEXT_BYTES_MAX = 262_144;
const CONTENT_BYTES_MAX = 4 * 2 ** 20;

/** The text of an item's body; empty for what has none. Names and people are known to the catalog already. */
export async function wordsOf(repository: Repository, catalog: RepositoryCatalog, item: ItemVersion): Promise<string> {
  const mime = item.contents.find(({ name }) => name === 'mime');
  const properties = item.contents.find(({ name }) => name === 'properties');
  const text =
    mime === undefined
      ? propertyText(await read(repository, catalog, properties))
      : await mimeText(await read(repository, catalog, mime));
  return text.replaceAll(/\s+/g, ' ').slice(0, TEXT_CHARACTERS_MAX);
}

/** The begin of a content, with what is an attachment for certain left out: its chunks are not even fetched. */
async function read(
  repository: Repository,
  catalog: RepositoryCatalog,
  content: StoredContent | undefined,
): Promise<Buffer> {
  if (content === undefined || !('segments' in content)) return Buffer.alloc(0);
  const segments: Segment[] = [];
  let sizeBytes = 0;
  for (const segment of content.segments) {
    const length = lengthOf(segment);
    if ('base64' in segment && length > ENCODED_TEXT_BYTES_MAX) continue;
    if (sizeBytes + length > CONTENT_BYTES_MAX) break;
    segments.push(segment);
    sizeBytes += length;
  }
  const parts: Buffer[] = [];
  for await (const bytes of repository.read({ name: content.name, sizeBytes, segments }, catalog)) parts.push(bytes);
  return Buffer.concat(parts);
}

/** Bytes that a segment stands for. */
function lengthOf(segment: Segment): number {
  if (!('base64' in segment)) return segment[2];
  const characters = Math.ceil(segment.of.reduce((sum, [, , length]) => sum + length, 0) / 3) * 4;
  const ends = Math.max(0, Math.ceil(characters / segment.base64) - 1);
  return characters + ends * (segment.end === 'crlf' ? 2 : 1);
}

async function mimeText(bytes: Buffer): Promise<string> {
  try {
    const mail = await PostalMime.parse(bytes, { maxNestingDepth: 20 });
    return mail.text ?? plainText(mail.html ?? '');
  } catch {
    // Broken beyond what a parser takes: its plain lines are still words.
    return plainText(bytes.toString('latin1'));
  }
}

const body = z.object({ content: z.string(), contentType: z.string().optional() });
/** Members of what Graph tells in which people write: events, tasks, posts, contacts, list items. */
const written = z.object({
  body: body.optional(),
  personalNotes: z.string().optional(),
  description: z.string().nullish(),
  fields: z.record(z.string(), z.unknown()).optional(),
});

function propertyText(bytes: Buffer): string {
  const result = written.safeParse(json(bytes));
  if (!result.success) return '';
  const { body: main, personalNotes, description, fields } = result.data;
  const values = Object.values(fields ?? {}).filter((value) => typeof value === 'string' || typeof value === 'number');
  return [plainText(main?.content ?? ''), personalNotes ?? '', plainText(description ?? ''), ...values].join(' ');
}

function json(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return null;
  }
}

import PostalMime from 'postal-mime';
import { z } from 'zod';
import type { ItemVersion, Segment, StoredContent } from '../model/items.ts';
import type { ChunkIndex } from '../repository/chunk-index.ts';
import type { Repository } from '../repository/repository.ts';
import { plainText } from './plain-text.ts';

/** Words beyond this are not searched: few people look for the 20,000th word of a log file in an attachment. */
export const TEXT_CHARACTERS_MAX = 65_536;
/** Of what blank lines and the like may be left. */
const WORK_CHARACTERS_MAX = 16 * TEXT_CHARACTERS_MAX;
/** A part in base64 larger than this is an attachment, not a text. */
const ENCODED_TEXT_BYTES_MAX = 262_144;
/** The parser of messages takes time with the square of some lengths: half a megabyte of the worst is a second. */
const MIME_BYTES_MAX = 524_288;
/** JSON that was cut short cannot be read at all. */
const PROPERTY_BYTES_MAX = 4 * 2 ** 20;

/** What is searched of an item beside what the catalog knows itself, which are its name and people. */
export interface ItemText {
  /** Of its body; empty for what has none. */
  text: string;
  attachmentNames: string[];
}

/** More attachments than this are not searched by name. */
const ATTACHMENT_NAMES_MAX = 200;
const NAME_CHARACTERS_MAX = 255;

/** Reads what is searched of an item. */
export async function wordsOf(repository: Repository, index: ChunkIndex, item: ItemVersion): Promise<ItemText> {
  const mime = item.contents.find(({ name }) => name === 'mime');
  const properties = item.contents.find(({ name }) => name === 'properties');
  const { text, attachmentNames } =
    mime === undefined
      ? propertyText(await read(repository, index, properties, PROPERTY_BYTES_MAX))
      : await mimeText(await read(repository, index, mime, MIME_BYTES_MAX));
  return {
    text: cleaned(text.slice(0, WORK_CHARACTERS_MAX), TEXT_CHARACTERS_MAX),
    attachmentNames: attachmentNames.slice(0, ATTACHMENT_NAMES_MAX).map((name) => cleaned(name, NAME_CHARACTERS_MAX)),
  };
}

/** No database accepts control characters, above all NUL. */
function cleaned(text: string, most: number): string {
  return text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .slice(0, most)
    .toWellFormed();
}

/** The begin of a content, with what is an attachment for certain left out: its chunks are not even fetched. */
async function read(
  repository: Repository,
  index: ChunkIndex,
  content: StoredContent | undefined,
  most: number,
): Promise<Buffer> {
  if (content === undefined) return Buffer.alloc(0);
  const segments: Segment[] = [];
  let sizeBytes = 0;
  for (const segment of await repository.segmentsOf(content, index)) {
    const length = lengthOf(segment);
    // What is encoded takes half of the room at most: the heads of parts behind it have the names of attachments.
    if ('base64' in segment && length > Math.min(ENCODED_TEXT_BYTES_MAX, most / 2 - sizeBytes)) continue;
    // What begins in reach is read to there: a long text is one range.
    const range: Segment = 'base64' in segment ? segment : [segment[0], segment[1], Math.min(length, most - sizeBytes)];
    segments.push(range);
    sizeBytes += lengthOf(range);
    if (sizeBytes >= most) break;
  }
  const parts: Buffer[] = [];
  for await (const bytes of repository.read({ name: content.name, sizeBytes, segments }, index)) parts.push(bytes);
  return Buffer.concat(parts);
}

/** The length of a segment's bytes. */
function lengthOf(segment: Segment): number {
  if (!('base64' in segment)) return segment[2];
  const characters = Math.ceil(segment.of.reduce((sum, [, , length]) => sum + length, 0) / 3) * 4;
  const ends = Math.max(0, Math.ceil(characters / segment.base64) - 1);
  return characters + ends * (segment.end === 'crlf' ? 2 : 1);
}

/** @param bytes the message, with large attachments left out */
export async function mimeText(bytes: Buffer): Promise<ItemText> {
  try {
    const mail = await PostalMime.parse(bytes.subarray(0, MIME_BYTES_MAX), { maxNestingDepth: 20 });
    const names = mail.attachments.flatMap(({ filename }) => filename ?? []);
    return { text: mail.text ?? plainText(mail.html ?? ''), attachmentNames: names };
  } catch {
    // Broken beyond what a parser takes: its plain lines are still words.
    return { text: plainText(bytes.subarray(0, MIME_BYTES_MAX).toString('latin1')), attachmentNames: [] };
  }
}

const body = z.object({ content: z.string(), contentType: z.string().optional() });
/** Of a task of a plan. */
const planDetails = z.object({
  description: z.string().nullish(),
  checklist: z.record(z.string(), z.object({ title: z.string().nullish() }).nullish()).nullish(),
  references: z.record(z.string(), z.object({ alias: z.string().nullish() }).nullish()).nullish(),
});
/** Members of what Graph reports in which people write: events, tasks, posts, contacts, list items. */
const written = z.object({
  body: body.optional(),
  personalNotes: z.string().optional(),
  description: z.string().nullish(),
  fields: z.record(z.string(), z.unknown()).optional(),
  attachments: z.array(z.object({ name: z.string().nullish() })).optional(),
  details: planDetails.optional(),
});

/** @param bytes the JSON that Graph gives of an item */
export function propertyText(bytes: Buffer): ItemText {
  const result = written.safeParse(json(bytes));
  if (!result.success) return { text: '', attachmentNames: [] };
  const { body: main, personalNotes, description, fields, attachments = [], details } = result.data;
  const values = Object.values(fields ?? {}).filter((value) => typeof value === 'string' || typeof value === 'number');
  const texts = [plainText(main?.content ?? ''), personalNotes ?? '', plainText(description ?? ''), ...values];
  const steps = Object.values(details?.checklist ?? {}).map((step) => step?.title ?? '');
  const links = Object.values(details?.references ?? {}).flatMap((link) => link?.alias ?? []);
  return {
    text: [...texts, details?.description ?? '', ...steps].join(' '),
    attachmentNames: [...attachments.flatMap(({ name }) => name ?? []), ...links],
  };
}

function json(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return null;
  }
}

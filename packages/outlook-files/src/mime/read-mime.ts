import type { MimeNode } from '@zone-eu/mailsplit';
import type { MessageDetails } from '../message.ts';
import type { Attachment, FileAttachment, OutlookMessage } from '../outlook-item.ts';
import { contentTypeOf } from './content-type.ts';
import { decodePlainText, decodeText } from './decode-text.ts';
import { headerValue } from './header-text.ts';
import type { MimePart } from './mime-part.ts';
import type { MimeSource } from './mime-parts.ts';
import { readParts } from './mime-parts.ts';
import { multipartSource } from './multipart-source.ts';
import { PartCursor } from './part-cursor.ts';
import { partName } from './part-name.ts';
import { readHeaders } from './read-headers.ts';

export interface ReadMimeOptions {
  /** Content up to this sum stays in memory; what is larger is read again from the source when it is written. Default 4 MiB. */
  memoryBytes?: number;
  /** How deep attached messages become items of their own; deeper ones stay files. Default 8. */
  nesting?: number;
}

/** Text beyond this sum is no longer a body but a file. */
const MOST_BODY_BYTES = 16 * 1024 * 1024;
const DEFAULT_MEMORY_BYTES = 4 * 1024 * 1024;
const DEFAULT_NESTING = 8;

/** Fixed sentences: what comes from a message must not get into a report. */
const LOSS = {
  tooMuch: 'The message has too many parts or headers to be split: it is attached whole.',
  noParts: 'The message is said to have parts, but their boundary is nowhere in it: its source is in the text.',
  noPartsAndLarge: 'The message is said to have parts, but their boundary is nowhere in it: it is attached whole.',
  largeText: 'The text of the message is too large to be shown: it is attached as a file.',
} as const;

/** What the reading of a message shares with that of the messages attached to it. */
interface Shared {
  /** The memory they may still use. */
  contentBytes: number;
  bodyBytes: number;
  losses: Set<string>;
}

interface Reading {
  source: MimeSource;
  cursor: PartCursor;
  shared: Shared;
  nesting: number;
  headers: Omit<MessageDetails, 'kind'> | undefined;
  texts: string[];
  htmls: string[];
  attachments: Attachment[];
  /** The multipart that was read last, until its first part comes. */
  multipart: { node: MimeNode; start: Collected } | undefined;
}

/**
 * Reads a mail message (RFC 5322, MIME) into what can be written. Broken mail is read as far as possible, and a message that asks for too
 * much is attached whole: nothing of it is lost. `losses` says what could not be split into its parts.
 * @param source is read once, and once more for each large attachment when that is written; it must give the same bytes each time
 * @throws what the source throws
 */
export async function readMime(source: MimeSource, options: ReadMimeOptions = {}): Promise<OutlookMessage> {
  const losses = new Set<string>();
  const shared = { contentBytes: options.memoryBytes ?? DEFAULT_MEMORY_BYTES, bodyBytes: MOST_BODY_BYTES, losses };
  const read = await readWithin(source, shared, options.nesting ?? DEFAULT_NESTING);
  return losses.size === 0 ? read : { ...read, losses: [...losses] };
}

async function readWithin(source: MimeSource, shared: Shared, nesting: number): Promise<OutlookMessage> {
  const reading: Reading = {
    source,
    cursor: new PartCursor(source),
    shared,
    nesting,
    headers: undefined,
    texts: [],
    htmls: [],
    attachments: [],
    multipart: undefined,
  };
  try {
    for await (const part of readParts(source)) {
      reading.headers ??= readHeaders(part.node);
      await leaveMultipart(reading, part.node);
      if (part.node.multipart === false) await readPart(reading, part);
      else reading.multipart = { node: part.node, start: await collect(part.content, shared.bodyBytes) };
    }
    await leaveMultipart(reading, undefined);
  } catch (error) {
    if (!isTooMuch(error)) {
      throw error;
    }
    shared.losses.add(LOSS.tooMuch);
    reading.attachments = [await wholeMessage(source)];
  }
  return message(reading);
}

function message(reading: Reading): OutlookMessage {
  const bodyText = reading.texts.join('\r\n');
  const bodyHtml = reading.htmls.join('\r\n');
  const attachments = reading.attachments.map((attachment) => markInline(attachment, bodyHtml));
  return {
    kind: 'message',
    ...reading.headers,
    ...(bodyText && { bodyText }),
    ...(bodyHtml && { bodyHtml }),
    ...(attachments.length > 0 && { attachments }),
  };
}

/** An attachment the body shows is not listed among the others. */
function markInline(attachment: Attachment, bodyHtml: string): Attachment {
  const isShown =
    attachment.kind === 'file' &&
    attachment.contentId !== undefined &&
    bodyHtml.toLowerCase().includes(`cid:${attachment.contentId.toLowerCase()}`);
  return isShown ? { ...attachment, isInline: true } : attachment;
}

/** Keeps the source of a multipart as text where its boundary never occurs, or is missing: `next` is no part of it then. */
async function leaveMultipart(reading: Reading, next: MimeNode | undefined): Promise<void> {
  const { multipart, shared } = reading;
  reading.multipart = undefined;
  if (multipart === undefined || next?.parentNode === multipart.node) return;
  const { node, start } = multipart;
  if (start.bytes === undefined) {
    shared.losses.add(LOSS.noPartsAndLarge);
    reading.attachments.push(await wholeMessage(reading.source));
    return;
  }
  const text = decodeText(multipartSource(node, start.bytes), false).replace(/\r?\n$/, '');
  if (text.trim() === '') return;
  shared.bodyBytes -= start.sizeBytes;
  shared.losses.add(LOSS.noParts);
  reading.texts.push(text);
}

async function readPart(reading: Reading, part: MimePart): Promise<void> {
  const { node, index } = part;
  const isText = isBody(node);
  const { shared, cursor, nesting } = reading;
  const { bytes, sizeBytes } = await collect(part.content, isText ? shared.bodyBytes : shared.contentBytes);
  if (isText && bytes) {
    shared.bodyBytes -= sizeBytes;
    addBody(reading, node, bytes);
    return;
  }
  if (isText) shared.losses.add(LOSS.largeText);
  shared.contentBytes -= bytes ? sizeBytes : 0;
  const content = bytes ? () => [bytes] : cursor.register(index);
  reading.attachments.push(
    contentTypeOf(node) === 'message/rfc822' && nesting > 0
      ? { kind: 'item', item: await readWithin(content, shared, nesting - 1) }
      : file(node, index, sizeBytes, content),
  );
}

/** Text without a name, and not meant as attachment, is what people read first. */
function isBody(node: MimeNode): boolean {
  const type = contentTypeOf(node) || 'text/plain';
  return (type === 'text/plain' || type === 'text/html') && node.disposition !== 'attachment' && !node.filename;
}

function addBody(reading: Reading, node: MimeNode, bytes: Buffer): void {
  if (bytes.length === 0) {
    return;
  }
  if (node.contentType === 'text/html') {
    reading.htmls.push(decodeText(bytes, node.charset));
  } else {
    reading.texts.push(decodePlainText(bytes, node));
  }
}

function file(node: MimeNode, index: number, sizeBytes: number, content: FileAttachment['content']): FileAttachment {
  const contentId = node.headers ? headerValue(node.headers, 'content-id').replace(/^<|>$/g, '') : '';
  const contentLocation = node.headers ? headerValue(node.headers, 'content-location') : '';
  return {
    kind: 'file',
    name: partName(node, index),
    contentType: contentTypeOf(node) || 'application/octet-stream',
    ...(contentId && { contentId }),
    ...(contentLocation && { contentLocation }),
    sizeBytes,
    content,
  };
}

interface Collected {
  bytes?: Buffer;
  sizeBytes: number;
}

/** The bytes, or only their number where there are more than `limit`. */
async function collect(content: MimePart['content'], limit: number): Promise<Collected> {
  const collected: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of content) {
    sizeBytes += chunk.length;
    if (sizeBytes <= limit) {
      collected.push(chunk);
    } else {
      collected.length = 0;
    }
  }
  if (sizeBytes > limit) return { sizeBytes };
  const [first] = collected;
  return { bytes: collected.length === 1 && first !== undefined ? first : Buffer.concat(collected), sizeBytes };
}

function isTooMuch(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EMAXLEN';
}

/** The message as a file: for mail that no reader should split, such as one of a million parts. */
async function wholeMessage(source: MimeSource): Promise<FileAttachment> {
  let sizeBytes = 0;
  for await (const chunk of source()) {
    sizeBytes += chunk.length;
  }
  return { kind: 'file', name: 'message.eml', contentType: 'message/rfc822', sizeBytes, content: source };
}

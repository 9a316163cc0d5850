import type { MimeNode } from '@zone-eu/mailsplit';
import type { MessageDetails } from '../message.ts';
import type { Attachment, FileAttachment, OutlookMessage } from '../outlook-item.ts';
import { decodePlainText, decodeText } from './decode-text.ts';
import type { MimePart } from './mime-part.ts';
import type { MimeSource } from './mime-parts.ts';
import { readParts } from './mime-parts.ts';
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

/** What is left of the memory a message may take, shared with the messages attached to it. */
interface Budget {
  contentBytes: number;
  bodyBytes: number;
}

interface Reading {
  cursor: PartCursor;
  budget: Budget;
  nesting: number;
  headers: Omit<MessageDetails, 'kind'> | undefined;
  texts: string[];
  htmls: string[];
  attachments: Attachment[];
}

/**
 * Reads a mail message (RFC 5322, MIME) into what can be written. Broken mail is read as far as it goes, and what asks for too much is
 * kept whole as an attachment: nothing of a message is lost.
 * @param source is read once, and once more for each large attachment when that is written; it must give the same bytes each time
 * @throws what the source throws
 */
export function readMime(source: MimeSource, options: ReadMimeOptions = {}): Promise<OutlookMessage> {
  const budget = { contentBytes: options.memoryBytes ?? DEFAULT_MEMORY_BYTES, bodyBytes: MOST_BODY_BYTES };
  return readWithin(source, budget, options.nesting ?? DEFAULT_NESTING);
}

async function readWithin(source: MimeSource, budget: Budget, nesting: number): Promise<OutlookMessage> {
  const reading: Reading = {
    cursor: new PartCursor(source),
    budget,
    nesting,
    headers: undefined,
    texts: [],
    htmls: [],
    attachments: [],
  };
  try {
    for await (const part of readParts(source)) {
      reading.headers ??= readHeaders(part.node);
      if (part.index >= 0) {
        await takePart(reading, part);
      }
    }
  } catch (error) {
    if (!isTooMuch(error)) {
      throw error;
    }
    reading.attachments = [await wholeMessage(source)];
  }
  return message(reading);
}

function message(reading: Reading): OutlookMessage {
  const bodyText = reading.texts.join('\r\n');
  const bodyHtml = reading.htmls.join('\r\n');
  const attachments = reading.attachments.map((attachment) => withPlace(attachment, bodyHtml));
  return {
    kind: 'message',
    ...reading.headers,
    ...(bodyText && { bodyText }),
    ...(bodyHtml && { bodyHtml }),
    ...(attachments.length > 0 && { attachments }),
  };
}

/** An attachment the body shows is not listed among the others. */
function withPlace(attachment: Attachment, bodyHtml: string): Attachment {
  const isShown =
    attachment.kind === 'file' &&
    attachment.contentId !== undefined &&
    bodyHtml.toLowerCase().includes(`cid:${attachment.contentId.toLowerCase()}`);
  return isShown ? { ...attachment, isInline: true } : attachment;
}

async function takePart(reading: Reading, part: MimePart): Promise<void> {
  const { node, index } = part;
  const isText = isBody(node);
  const { budget, cursor, nesting } = reading;
  const limit = isText ? budget.bodyBytes : budget.contentBytes;
  const { bytes, sizeBytes } = await collect(part.content, limit);
  if (isText && bytes) {
    budget.bodyBytes -= sizeBytes;
    takeBody(reading, node, bytes);
    return;
  }
  budget.contentBytes -= bytes ? sizeBytes : 0;
  const content = bytes ? () => [bytes] : cursor.register(index);
  reading.attachments.push(
    node.contentType === 'message/rfc822' && nesting > 0
      ? { kind: 'item', item: await readWithin(content, budget, nesting - 1) }
      : file(node, index, sizeBytes, content),
  );
}

/** Text without a name, and not meant as attachment, is what people read first. */
function isBody(node: MimeNode): boolean {
  const type = node.contentType || 'text/plain';
  return (type === 'text/plain' || type === 'text/html') && node.disposition !== 'attachment' && !node.filename;
}

function takeBody(reading: Reading, node: MimeNode, bytes: Buffer): void {
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
  const contentId = node.headers ? node.headers.getFirst('content-id').replace(/^<|>$/g, '') : '';
  const contentLocation = node.headers ? node.headers.getFirst('content-location') : '';
  return {
    kind: 'file',
    name: partName(node, index),
    contentType: node.contentType || 'application/octet-stream',
    ...(contentId && { contentId }),
    ...(contentLocation && { contentLocation }),
    sizeBytes,
    content,
  };
}

/** The bytes, or only their number where there are more than `limit`. */
async function collect(content: MimePart['content'], limit: number): Promise<{ bytes?: Buffer; sizeBytes: number }> {
  const kept: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of content) {
    sizeBytes += chunk.length;
    if (sizeBytes <= limit) {
      kept.push(chunk);
    } else {
      kept.length = 0;
    }
  }
  if (sizeBytes > limit) return { sizeBytes };
  const [first] = kept;
  return { bytes: kept.length === 1 && first !== undefined ? first : Buffer.concat(kept), sizeBytes };
}

function isTooMuch(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EMAXLEN';
}

/** Mail that no reader should take apart, such as one of a million parts. */
async function wholeMessage(source: MimeSource): Promise<FileAttachment> {
  let sizeBytes = 0;
  for await (const chunk of source()) {
    sizeBytes += chunk.length;
  }
  return { kind: 'file', name: 'message.eml', contentType: 'message/rfc822', sizeBytes, content: source };
}

import PostalMime, { type Address, type Email, type Attachment as ParsedAttachment } from 'postal-mime';
import { type Attachment, blankMessage, type EmailAddress, type Message } from './message.ts';

/** What a message is born with besides its bytes. */
export interface Birth {
  nowMs: number;
  id: string;
  domain: string;
}

/** Depth to which messages within messages are read; deeper ones stay files. */
const deepest = 4;

/**
 * Reads MIME into the properties Graph gives of it. Whatever cannot be read stays empty: any bytes are accepted, as
 * by the vendor, and are returned exactly as they were sent.
 */
export async function parseMime(raw: Buffer, birth: Birth, depth = 0): Promise<Message> {
  const blank = { ...blankMessage(birth.nowMs, birth.id, birth.domain), raw: () => raw };
  const email = await parse(raw);
  if (!email) return blank;
  const date = Date.parse(email.date ?? '');
  const attachments: Attachment[] = [];
  for (const [index, part] of email.attachments.entries()) {
    attachments.push(await attachmentOf(part, index + 1, birth, depth));
  }
  const from = addressesOf(email.from)[0] ?? null;
  const html = email.html;
  const header = (name: string) => email.headers.find(({ key }) => key === name)?.value;
  return {
    ...blank,
    subject: email.subject ?? '',
    bodyType: html ? 'html' : 'text',
    body: html ?? email.text ?? '',
    from,
    sender: addressesOf(email.sender)[0] ?? from,
    to: email.to?.flatMap(addressesOf) ?? [],
    cc: email.cc?.flatMap(addressesOf) ?? [],
    bcc: email.bcc?.flatMap(addressesOf) ?? [],
    replyTo: email.replyTo?.flatMap(addressesOf) ?? [],
    sentMs: Number.isNaN(date) ? birth.nowMs : date,
    importance: importanceOf(header('importance') ?? header('x-priority')),
    isReadReceiptRequested: header('disposition-notification-to') !== undefined,
    internetMessageId: email.messageId ?? blank.internetMessageId,
    headers: email.headers.map(({ originalKey, value }) => ({ name: originalKey, value })),
    attachments,
    messageClass: classOf(header('content-type') ?? ''),
  };
}

async function parse(raw: Buffer): Promise<Email | undefined> {
  try {
    return await PostalMime.parse(raw, { forceRfc822Attachments: true, attachmentEncoding: 'arraybuffer' });
  } catch {
    // Not a mail: only its bytes are known.
    return undefined;
  }
}

async function attachmentOf(part: ParsedAttachment, number: number, birth: Birth, depth: number): Promise<Attachment> {
  const bytes =
    typeof part.content === 'string' ? Buffer.from(part.content) : Buffer.from(new Uint8Array(part.content));
  const facts = {
    number,
    name: part.filename ?? (part.mimeType === 'message/rfc822' ? 'message.eml' : `attachment-${number}`),
    contentType: part.mimeType || 'application/octet-stream',
    isInline: part.disposition === 'inline' || part.related === true,
    contentId: part.contentId?.replace(/^<|>$/g, '') ?? null,
    modifiedMs: birth.nowMs,
  };
  if (part.mimeType !== 'message/rfc822' || depth >= deepest) {
    return { ...facts, kind: 'file', size: bytes.length, bytes: () => bytes };
  }
  return {
    ...facts,
    kind: 'item',
    message: await parseMime(bytes, { ...birth, id: `${birth.id}.${number}` }, depth + 1),
  };
}

function addressesOf(address: Address | undefined): EmailAddress[] {
  if (!address) return [];
  if (address.address === undefined) return address.group.flatMap(addressesOf);
  return [{ name: address.name || address.address, address: address.address }];
}

function importanceOf(value = ''): Message['importance'] {
  if (/high|^[12]\b/i.test(value)) return 'high';
  return /low|^[45]\b/i.test(value) ? 'low' : 'normal';
}

function classOf(contentType: string): string {
  if (/multipart\/signed/i.test(contentType)) return 'IPM.Note.SMIME.MultipartSigned';
  return /pkcs7-mime/i.test(contentType) ? 'IPM.Note.SMIME' : 'IPM.Note';
}

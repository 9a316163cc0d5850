import { EngineError } from '../../../model/engine-error.ts';
import { textOf } from '../json.ts';
import { bareId, type MailboxWriting } from './mailbox-writing.ts';

export interface NewAttachment {
  name: string;
  contentType: string;
  isInline: boolean;
  contentId: string | null;
  bytes: Buffer;
}

/** Larger ones need an upload session; https://learn.microsoft.com/graph/outlook-large-attachments */
const SMALL_BYTES = 3 * 1024 * 1024;
/** A part of an upload; the vendor takes up to 4 MB. */
const PART_BYTES = 3_932_160;

/** Adds an attachment of any size to an item that exists. */
export async function attach(
  { connection }: MailboxWriting,
  itemPath: string,
  attachment: NewAttachment,
  signal: AbortSignal,
): Promise<void> {
  const call = { method: 'POST', headers: bareId, signal } as const;
  if (attachment.bytes.length <= SMALL_BYTES) {
    await connection.ask({ ...call, path: `${itemPath}/attachments`, body: fileAttachment(attachment) });
    return;
  }
  const { name, contentType, isInline, contentId, bytes } = attachment;
  const item = { attachmentType: 'file', name, contentType, isInline, size: bytes.length };
  const session = await connection.ask({
    ...call,
    path: `${itemPath}/attachments/createUploadSession`,
    body: { AttachmentItem: contentId === null ? item : { ...item, contentId } },
  });
  const url = textOf(session['uploadUrl']);
  if (url === undefined)
    throw new EngineError('source-refused', `Microsoft 365 opened no upload for ${name}. Try again.`);
  for (let start = 0; start < bytes.length; start += PART_BYTES) {
    const part = bytes.subarray(start, start + PART_BYTES);
    const range = `bytes ${start}-${start + part.length - 1}/${bytes.length}`;
    const headers = { 'content-type': 'application/octet-stream', 'content-range': range };
    await connection.askHeaders({ method: 'PUT', path: url, headers, body: part, signal });
  }
}

export function fileAttachment({ name, contentType, isInline, contentId, bytes }: NewAttachment): object {
  return {
    '@odata.type': '#microsoft.graph.fileAttachment',
    name,
    contentType,
    isInline,
    ...(contentId === null ? {} : { contentId }),
    contentBytes: bytes.toString('base64'),
  };
}

/** The attachments that stand in the properties of an item and lie beside it as contents. */
export function isWhole(attachments: readonly NewAttachment[]): boolean {
  return attachments.reduce((sum, { bytes }) => sum + bytes.length, 0) <= SMALL_BYTES;
}

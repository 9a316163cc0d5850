import { EngineError } from '../../../model/engine-error.ts';
import type { GraphConnection } from '../connection.ts';
import { GraphError } from '../graph-error.ts';
import { numberOf, textOf, textsOf } from '../json.ts';
import type { GraphCall } from '../requests/requests.ts';
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
    await putPart(connection, { url, itemPath, name, size: bytes.length }, start + part.length, {
      method: 'PUT',
      path: url,
      headers,
      body: part,
      signal,
    });
  }
}

interface Upload {
  url: string;
  itemPath: string;
  name: string;
  size: number;
}

/**
 * Sends a part. One whose answer was lost is sent again, and refused when the first one had arrived: then the session reports how far it is.
 * When the session has ended because that was the last part, the item has the attachment.
 * @param end of the part
 */
async function putPart(connection: GraphConnection, upload: Upload, end: number, call: GraphCall): Promise<void> {
  try {
    await connection.ask(call);
  } catch (error) {
    if (!(error instanceof GraphError) || ![400, 404, 416].includes(error.status)) throw error;
    if (!(await wasAccepted(connection, upload, end, call.signal))) throw error;
  }
}

async function wasAccepted(
  connection: GraphConnection,
  { url, itemPath, name, size }: Upload,
  end: number,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    const state = await connection.ask({ path: url, signal });
    return Number.parseInt(textsOf(state['nextExpectedRanges'])[0] ?? '', 10) === end;
  } catch (error) {
    if (!(error instanceof GraphError) || error.status !== 404 || end !== size) throw error;
  }
  const call = { path: `${itemPath}/attachments?$select=name,size`, headers: bareId, signal };
  // The reported size includes what the server stores beside the bytes.
  for await (const { value } of connection.pages(call))
    if (value.some((one) => one['name'] === name && (numberOf(one['size']) ?? 0) >= size)) return true;
  return false;
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

/** Whether attachments are small enough together to be sent within the request that creates their item. */
export function fitInOneRequest(attachments: readonly NewAttachment[]): boolean {
  return attachments.reduce((sum, { bytes }) => sum + bytes.length, 0) <= SMALL_BYTES;
}

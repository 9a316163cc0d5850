import type { FileAttachment } from '../mailbox/attachment.ts';
import type { GraphCall, GraphReply, GraphRoute } from '../wire/graph-call.ts';
import { GraphError } from '../wire/graph-error.ts';
import { badRequest } from '../wire/refusals.ts';
import { nextNumber } from './attachment-routes.ts';

interface Upload {
  user: string;
  /** Number of the item within the mailbox. */
  item: number;
  size: number;
  facts: Pick<FileAttachment, 'name' | 'contentType' | 'isInline' | 'contentId'>;
}

const lifetimeMs = 3_600_000;

/** Uploads of large attachments that have begun and not ended. */
export class AttachmentUploads {
  private readonly uploads = new Map<string, Upload & { chunks: Buffer[]; received: number; expiresMs: number }>();
  private readonly newId: () => string;
  private readonly nowMs: () => number;

  constructor(newId: () => string, nowMs: () => number) {
    this.newId = newId;
    this.nowMs = nowMs;
  }

  start(upload: Upload): string {
    const id = this.newId();
    this.uploads.set(id, { ...upload, chunks: [], received: 0, expiresMs: this.nowMs() + lifetimeMs });
    return id;
  }

  expiry(id: string): string {
    return new Date(this.find(id).expiresMs).toISOString();
  }

  cancel(id: string): void {
    this.find(id);
    this.uploads.delete(id);
  }

  /** Takes the next bytes. @throws GraphError 404 for no such session, 416 for bytes out of turn */
  take(id: string, range: string | undefined, bytes: Buffer) {
    const upload = this.find(id);
    const [, first, last, size] = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(range ?? '') ?? [];
    if (first === undefined)
      throw badRequest('The Content-Range header is missing or malformed.', 'InvalidContentRange');
    if (Number(size) !== upload.size || Number(last) - Number(first) + 1 !== bytes.length) {
      throw badRequest('The Content-Range header does not match the content.', 'InvalidContentRange');
    }
    if (Number(first) !== upload.received) {
      throw new GraphError(416, 'InvalidContentRange', `The next expected range is ${upload.received}-.`);
    }
    upload.chunks.push(bytes);
    upload.received += bytes.length;
    if (upload.received === upload.size) this.uploads.delete(id);
    return upload;
  }

  private find(id: string) {
    const upload = this.uploads.get(id);
    if (!upload || upload.expiresMs < this.nowMs()) {
      throw new GraphError(404, 'ErrorItemNotFound', 'The upload session was not found or has expired.');
    }
    return upload;
  }
}

function putChunk(call: GraphCall): GraphReply {
  const { tenant, params, headers, body } = call;
  const id = params['session'] ?? '';
  const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  const upload = tenant.attachmentUploads.take(id, headers['content-range'], bytes);
  if (upload.received < upload.size) {
    const expirationDateTime = tenant.attachmentUploads.expiry(id);
    return { status: 200, body: { expirationDateTime, nextExpectedRanges: [`${upload.received}-`] } };
  }
  const mailbox = tenant.mailboxes.of(upload.user);
  const item = mailbox.findItem(upload.item);
  if (!item) throw new GraphError(404, 'ErrorItemNotFound', 'The specified object was not found in the store.');
  const whole = Buffer.concat(upload.chunks);
  const number = nextNumber(item);
  const modifiedMs = tenant.nowMs();
  const attachment = {
    ...upload.facts,
    kind: 'file',
    number,
    modifiedMs,
    size: whole.length,
    bytes: () => whole,
  } as const;
  const { content } = item;
  const attachments = [...content.attachments, attachment];
  const isMessage = content.kind === 'message';
  const changed = mailbox.changeItem(
    item,
    isMessage ? { ...content, attachments, raw: undefined } : { ...content, attachments },
  );
  const collection = isMessage ? 'messages' : 'events';
  const path = `users/${upload.user}/${collection}/${mailbox.itemId(changed, false)}/attachments`;
  return {
    status: 201,
    headers: { location: `${call.baseUrl}/v1.0/${path}/${mailbox.partId(changed, false, 'attachment', number)}` },
  };
}

export const attachmentUploadRoutes: readonly GraphRoute[] = [
  { method: 'PUT', path: '/upload/{tenant}/attachments/{session}', handle: putChunk },
  {
    method: 'DELETE',
    path: '/upload/{tenant}/attachments/{session}',
    handle: ({ tenant, params }) => {
      tenant.attachmentUploads.cancel(params['session'] ?? '');
      return { status: 204 };
    },
  },
];

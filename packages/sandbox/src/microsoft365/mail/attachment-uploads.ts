import { GraphError } from '../wire/graph-error.ts';
import { badRequest } from '../wire/refusals.ts';
import type { FileAttachment } from './message.ts';

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

  /** How far a session is. @throws GraphError 404 for one that is over or expired */
  state(id: string) {
    const { received } = this.find(id);
    return { expirationDateTime: this.expiry(id), nextExpectedRanges: [`${received}-`] };
  }

  cancel(id: string): void {
    this.find(id);
    this.uploads.delete(id);
  }

  /** Accepts the next bytes. @throws GraphError 404 for no such session, 416 for bytes out of turn */
  accept(id: string, range: string | undefined, bytes: Buffer) {
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

import type { MimeNode } from '@zone-eu/mailsplit';

/** A part of a message, or the message itself. */
export interface MimePart {
  node: MimeNode;
  /** Place among the parts with content; -1 for a multipart. */
  index: number;
  /**
   * The content without its transfer encoding; of a multipart what comes before its first part. To be read, if at all, before the next part is
   * requested.
   */
  content: AsyncIterable<Buffer> | Iterable<Buffer>;
}

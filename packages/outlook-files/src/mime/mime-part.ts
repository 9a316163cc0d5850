import type { MimeNode } from '@zone-eu/mailsplit';

/** A part of a message, or the message itself. */
export interface MimePart {
  node: MimeNode;
  /** Place among the parts that hold content; -1 for parts that only hold parts. */
  index: number;
  /** The content without its transfer encoding. To be read, if at all, before the next part is asked for. */
  content: AsyncIterable<Buffer> | Iterable<Buffer>;
}

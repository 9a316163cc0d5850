import type { MimeNode, SplitterChunk } from '@zone-eu/mailsplit';

/** Whether a chunk is content of a part. A multipart has some before its first part, and all of it where no part begins. */
export function isContent(chunk: SplitterChunk, part: MimeNode): chunk is SplitterChunk & { value: Buffer } {
  return chunk.type === 'body' || (chunk.type === 'data' && part.multipart !== false && chunk.node === part);
}

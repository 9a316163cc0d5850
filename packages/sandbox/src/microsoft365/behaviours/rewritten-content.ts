import { Readable } from 'node:stream';
import type { Content } from '../drives/content/content.ts';

/** What a server writes before a file that it protects when it gives it out. */
const ENVELOPE = Buffer.from('\u00d0\u00cf\u0011\u00e0 protected by the library '.padEnd(512, '.'), 'latin1');

/** The bytes of a file as a server gives them out that rewrites it: the same at every download, and neither of the length nor of the hash it lists. */
export function rewrittenContent(content: Content): Content {
  const shift = ENVELOPE.length;
  return {
    ...content,
    size: content.size + shift,
    open: (start, end) => Readable.from(pieces(content, start, end, shift)),
  };
}

async function* pieces(content: Content, start: number, end: number, shift: number): AsyncGenerator<Buffer> {
  if (start < shift) yield ENVELOPE.subarray(start, Math.min(end, shift));
  if (end > shift) for await (const piece of content.open(Math.max(0, start - shift), end - shift)) yield piece;
}

import { once } from 'node:events';
import type { MimeNode, SplitterChunk } from '@zone-eu/mailsplit';
import { decodeBase64 } from './decode-base64.ts';
import { isContent } from './is-content.ts';
import type { MimePart } from './mime-part.ts';
import { newSplitter } from './new-splitter.ts';
import { skeletonOf } from './skeleton.ts';
import { decodeUuencode, isUuencode } from './uuencode.ts';

/**
 * Splits a message in memory into its parts; contents without an encoding are views of that memory.
 * @throws an error with the code EMAXLEN where it has more parts or headers than `newSplitter` allows, after the parts before that
 */
export async function* partsInMemory(message: Buffer): AsyncGenerator<MimePart> {
  const { bytes, filled } = skeletonOf(message);
  const { chunks, failure } = await split(bytes);
  let index = -1;
  for (let at = 0; at < chunks.length; ) {
    const node = chunks[at];
    at += 1;
    if (node?.type !== 'node') continue;
    const contents: Buffer[] = [];
    for (let chunk = chunks[at]; chunk !== undefined && chunk.type !== 'node'; chunk = chunks[at]) {
      if (isContent(chunk, node)) contents.push(...filled(chunk.value));
      at += 1;
    }
    const isMultipart = node.multipart !== false;
    index += isMultipart ? 0 : 1;
    yield { node, index: isMultipart ? -1 : index, content: isMultipart ? contents : decoded(node, contents) };
  }
  if (failure !== null) throw failure;
}

async function split(bytes: Buffer): Promise<{ chunks: SplitterChunk[]; failure: unknown }> {
  const splitter = newSplitter();
  const chunks: SplitterChunk[] = [];
  splitter.on('data', (chunk: SplitterChunk) => chunks.push(chunk));
  splitter.end(bytes);
  try {
    await once(splitter, 'end');
    return { chunks, failure: null };
  } catch (failure) {
    return { chunks, failure };
  }
}

/** A stream costs more than the rest of a small part: only what cannot be decoded at once has one. */
function decoded(node: MimeNode, bodies: readonly Buffer[]): MimePart['content'] {
  if (isUuencode(node.encoding)) return decodeUuencode(bodies);
  if (node.encoding !== 'base64' && node.encoding !== 'quoted-printable') return bodies;
  const [first = Buffer.alloc(0)] = bodies;
  const encoded = bodies.length <= 1 ? first : Buffer.concat(bodies);
  const atOnce = node.encoding === 'base64' ? decodeBase64(encoded) : null;
  if (atOnce !== null) return [atOnce];
  const decoder = node.getDecoder();
  decoder.end(encoded);
  return decoder;
}

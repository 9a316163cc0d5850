import { PassThrough, Readable } from 'node:stream';
import type { MimeNode, SplitterChunk } from '@zone-eu/mailsplit';
import { isContent } from './is-content.ts';
import type { MimePart } from './mime-part.ts';
import { newSplitter } from './new-splitter.ts';
import { decodeUuencode, isUuencode } from './uuencode.ts';

const PIECE_BYTES = 65_536;

/**
 * Splits a message of any size into its parts while its bytes arrive.
 * @throws an error with the code EMAXLEN where it has more parts or headers than `newSplitter` allows
 */
export async function* streamedParts(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<MimePart> {
  const splitter = newSplitter();
  const input = Readable.from(inPieces(bytes), { objectMode: false });
  input.on('error', (error) => splitter.destroy(error)).pipe(splitter);
  const chunks: AsyncIterator<SplitterChunk> = splitter[Symbol.asyncIterator]();
  let next = await chunks.next();
  async function* contentOf(node: MimeNode): AsyncGenerator<Buffer> {
    for (; !next.done && next.value.type !== 'node'; next = await chunks.next()) {
      if (isContent(next.value, node)) yield next.value.value;
    }
  }
  let index = -1;
  try {
    while (!next.done) {
      const chunk = next.value;
      next = await chunks.next();
      if (chunk.type === 'node') {
        const isMultipart = chunk.multipart !== false;
        index += isMultipart ? 0 : 1;
        const content = contentOf(chunk);
        yield {
          node: chunk,
          index: isMultipart ? -1 : index,
          content: isMultipart ? content : decoded(chunk, content),
        };
        await skip(contentOf(chunk));
      }
    }
  } finally {
    input.destroy();
    splitter.destroy();
  }
}

/** Small pieces of a source are joined: each costs a way through the streams of its own. */
async function* inPieces(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let joined: Uint8Array[] = [];
  let length = 0;
  for await (const piece of bytes) {
    joined.push(piece);
    length += piece.length;
    if (length < PIECE_BYTES) continue;
    yield joined.length === 1 ? piece : Buffer.concat(joined, length);
    joined = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(joined, length);
}

async function* decoded(node: MimeNode, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (isUuencode(node.encoding)) {
    yield* decodeUuencode(body);
    return;
  }
  const decoder = node.getDecoder();
  if (decoder instanceof PassThrough) {
    yield* body;
    return;
  }
  const encoded = Readable.from(inPieces(body), { objectMode: false });
  encoded.on('error', (error) => decoder.destroy(error)).pipe(decoder);
  try {
    yield* decoder;
  } finally {
    encoded.destroy();
  }
}

async function skip(chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of chunks) {
    // The reader of a part may leave some of it.
  }
}

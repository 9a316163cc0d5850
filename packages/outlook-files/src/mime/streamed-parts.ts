import { PassThrough, Readable } from 'node:stream';
import type { MimeNode, SplitterChunk } from '@zone-eu/mailsplit';
import type { MimePart } from './mime-part.ts';
import { newSplitter } from './new-splitter.ts';

const PIECE_BYTES = 65_536;

/**
 * The parts of a message of any size, as its bytes come.
 * @throws an error with the code EMAXLEN where it has more parts or headers than `newSplitter` allows
 */
export async function* streamedParts(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<MimePart> {
  const splitter = newSplitter();
  const input = Readable.from(inPieces(bytes), { objectMode: false });
  input.on('error', (error) => splitter.destroy(error)).pipe(splitter);
  const chunks: AsyncIterator<SplitterChunk> = splitter[Symbol.asyncIterator]();
  let next = await chunks.next();
  async function* body(): AsyncGenerator<Buffer> {
    for (; !next.done && next.value.type !== 'node'; next = await chunks.next()) {
      if (next.value.type === 'body') {
        yield next.value.value;
      }
    }
  }
  let index = -1;
  try {
    while (!next.done) {
      const chunk = next.value;
      next = await chunks.next();
      if (chunk.type === 'node') {
        const holdsParts = chunk.multipart !== false;
        index += holdsParts ? 0 : 1;
        yield { node: chunk, index: holdsParts ? -1 : index, content: decoded(chunk, body()) };
        await skip(body());
      }
    }
  } finally {
    input.destroy();
    splitter.destroy();
  }
}

/** Small pieces of a source are joined: each that comes takes its own way through the streams. */
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
  // The getter reads the headers that say the encoding. What has none is given as it comes.
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
    // what a part's reader left over
  }
}

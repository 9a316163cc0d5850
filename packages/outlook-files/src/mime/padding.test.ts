import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { MimePart } from './mime-part.ts';
import { partsInMemory } from './parts-in-memory.ts';
import { streamedParts } from './streamed-parts.ts';

/** Bytes that the stream joins before it hands them on: a piece that ends behind so many ends a chunk. */
const CHUNK_BYTES = 65_536;

async function contentsOf(parts: AsyncIterable<MimePart>): Promise<string[]> {
  const contents: string[] = [];
  for await (const { node, content } of parts) {
    const bytes: Buffer[] = [];
    for await (const piece of content) bytes.push(piece);
    if (node.multipart === false) contents.push(Buffer.concat(bytes).toString('latin1'));
  }
  return contents;
}

async function* pieces(message: Buffer, split: number): AsyncGenerator<Uint8Array> {
  yield message.subarray(0, split);
  yield message.subarray(split);
}

it('parts a message at delimiters with white space behind them, wherever a chunk of the stream ends', async () => {
  const padding = fc.string({ unit: fc.constantFrom(' ', '\t'), maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(padding, padding, padding),
      fc.constantFrom('\r\n', '\n'),
      fc.integer({ min: -2, max: 24 }),
      async ([first, second, last], end, offset) => {
        const head = ['Content-Type: multipart/mixed; boundary=A', '', `--A${first}`, '', ''].join(end);
        const long = 'x'.repeat(CHUNK_BYTES - head.length);
        const tail = ['', `--A${second}`, '', 'y', `--A--${last}`, ''].join(end);
        const message = Buffer.from(head + long + tail);
        const expected = [long, 'y'];
        expect(await contentsOf(streamedParts(pieces(message, CHUNK_BYTES + offset)))).toEqual(expected);
        expect(await contentsOf(partsInMemory(message))).toEqual(expected);
      },
    ),
    { numRuns: 150 },
  );
});

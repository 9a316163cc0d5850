import type { MimePart } from './mime-part.ts';
import { partsInMemory } from './parts-in-memory.ts';
import { streamedParts } from './streamed-parts.ts';

/** Messages up to this size are split in memory, which costs a fraction of what streams do. */
const MEMORY_BYTES = 1_048_576;

/** Bytes that can be read more than once: a file, an object in a repository. */
export type MimeSource = () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/**
 * The parts of a message in order, the message itself first. Attached messages are one part each.
 * @throws an error with the code EMAXLEN where it has more parts or headers than `newSplitter` allows
 */
export async function* readParts(source: MimeSource): AsyncGenerator<MimePart> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  const opened = source();
  const iterator = Symbol.asyncIterator in opened ? opened[Symbol.asyncIterator]() : opened[Symbol.iterator]();
  let next = await iterator.next();
  for (; !next.done && length + next.value.length <= MEMORY_BYTES; next = await iterator.next()) {
    pieces.push(next.value);
    length += next.value.length;
  }
  if (next.done) yield* partsInMemory(joined(pieces, length));
  else yield* streamedParts(continued([...pieces, next.value], iterator));
}

function joined(pieces: readonly Uint8Array[], length: number): Buffer {
  const [first] = pieces;
  return pieces.length === 1 && first !== undefined
    ? Buffer.from(first.buffer, first.byteOffset, first.length)
    : Buffer.concat(pieces, length);
}

/** The pieces that were read already, and then the rest. */
async function* continued(
  read: readonly Uint8Array[],
  rest: AsyncIterator<Uint8Array> | Iterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* read;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

import type { ChunkRange, ContentName, Segment, StoredContent } from '../model/items.ts';
import { type Piece, takeApart } from './base64-lines.ts';
import type { ChunkSink } from './chunk-sink.ts';
import type { Chunker } from './chunker.ts';
import type { ChunkSizes } from './identity.ts';

/** Bytes of an item that are to be stored: at once, or as they come. */
export interface NewContent {
  name: ContentName;
  bytes: Uint8Array | AsyncIterable<Uint8Array>;
}

const SEGMENTS_MAX = 256;
/** A message that comes as a stream is taken apart a window at a time, so that memory stays bounded. */
const WINDOW_BYTES = 16 * 2 ** 20;

/** A range of a chunk that is not written yet. */
interface Reserved {
  bundle: Bundle;
  start: number;
  length: number;
}

interface Draft {
  name: ContentName;
  sizeBytes: number;
  segments: (Segment | Reserved)[];
}

/** Small pieces of one item, which share a chunk. */
class Bundle {
  readonly parts: Uint8Array[] = [];
  size = 0;
  id = '';

  reserve(bytes: Uint8Array): Reserved {
    const reserved = { bundle: this, start: this.size, length: bytes.length };
    this.parts.push(bytes);
    this.size += bytes.length;
    return reserved;
  }
}

/** Lays the contents of items down as chunks (format, 5 and 7). */
export class ContentWriter {
  private readonly sink: ChunkSink;
  private readonly chunker: Chunker;
  private readonly sizes: ChunkSizes;

  constructor(sink: ChunkSink, chunker: Chunker, sizes: ChunkSizes) {
    this.sink = sink;
    this.chunker = chunker;
    this.sizes = sizes;
  }

  /** The contents of one item. What is small shares chunks; the base64 of a content named `mime` is stored decoded. */
  async write(contents: readonly NewContent[]): Promise<StoredContent[]> {
    const bundles = [new Bundle()];
    const drafts: Draft[] = [];
    for (const content of contents) drafts.push(await this.draft(content, bundles));
    for (const bundle of bundles) if (bundle.size > 0) bundle.id = await this.sink.add(joined(bundle.parts));
    return Promise.all(drafts.map((draft) => this.finish(draft)));
  }

  private async draft({ name, bytes }: NewContent, bundles: Bundle[]): Promise<Draft> {
    const draft: Draft = { name, sizeBytes: 0, segments: [] };
    if (name === 'mime') {
      for await (const window of windowsOf(bytes, WINDOW_BYTES)) {
        draft.sizeBytes += window.length;
        for (const piece of takeApart(window)) await this.addPiece(draft, piece, bundles);
      }
    } else await this.addStream(draft, bytes, bundles);
    return draft;
  }

  private async addPiece(draft: Draft, { bytes, shape }: Piece, bundles: Bundle[]): Promise<void> {
    if (shape === null) {
      if (bytes.length <= this.sizes.minBytes) draft.segments.push(reserve(bundles, bytes, this.sizes.minBytes));
      else for await (const range of this.ranges([bytes])) draft.segments.push(range);
      return;
    }
    const of: ChunkRange[] = [];
    for await (const range of this.ranges([bytes])) of.push(range);
    draft.segments.push({ ...shape, of });
  }

  private async addStream(draft: Draft, bytes: NewContent['bytes'], bundles: Bundle[]): Promise<void> {
    if (bytes instanceof Uint8Array && bytes.length <= this.sizes.minBytes) {
      draft.sizeBytes = bytes.length;
      if (bytes.length > 0) draft.segments.push(reserve(bundles, bytes, this.sizes.minBytes));
      return;
    }
    for await (const range of this.ranges(bytes instanceof Uint8Array ? [bytes] : bytes)) {
      draft.segments.push(range);
      draft.sizeBytes += range[2];
    }
  }

  /** Cuts a stream, and stores a chunk while the next is being cut. */
  private async *ranges(bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<ChunkRange> {
    let before: Promise<ChunkRange> | null = null;
    for await (const chunk of this.chunks(bytes)) {
      const range = this.sink.add(chunk).then((id): ChunkRange => [id, 0, chunk.length]);
      // It is awaited in the next round; until then a failure must not count as nobody's.
      range.catch(() => undefined);
      if (before !== null) yield await before;
      before = range;
    }
    if (before !== null) yield await before;
  }

  private async *chunks(bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
    let rest: Buffer = Buffer.alloc(0);
    for await (const window of windowsOf(bytes, this.sizes.maxBytes)) {
      rest = rest.length === 0 ? window : Buffer.concat([rest, window]);
      for (let length = this.cutLength(rest, false); length > 0; length = this.cutLength(rest, false)) {
        yield rest.subarray(0, length);
        rest = rest.subarray(length);
      }
    }
    for (let length = this.cutLength(rest, true); length > 0; length = this.cutLength(rest, true)) {
      yield rest.subarray(0, length);
      rest = rest.subarray(length);
    }
  }

  /** Nothing is cut before a whole chunk could be there, so that no byte is hashed twice. */
  private cutLength(bytes: Buffer, isLast: boolean): number {
    return isLast || bytes.length >= this.sizes.maxBytes ? this.chunker.cut(bytes, isLast) : 0;
  }

  private async finish({ name, sizeBytes, segments }: Draft): Promise<StoredContent> {
    const placed = segments.map(
      (segment): Segment => ('bundle' in segment ? [segment.bundle.id, segment.start, segment.length] : segment),
    );
    if (placed.length <= SEGMENTS_MAX) return { name, sizeBytes, segments: placed };
    const list: Segment[] = [];
    for await (const range of this.ranges([Buffer.from(JSON.stringify(placed))])) list.push(range);
    return { name, sizeBytes, list };
  }
}

function reserve(bundles: Bundle[], bytes: Uint8Array, bytesMax: number): Reserved {
  const last = bundles.at(-1);
  if (last !== undefined && last.size + bytes.length <= bytesMax) return last.reserve(bytes);
  const next = new Bundle();
  bundles.push(next);
  return next.reserve(bytes);
}

function joined(parts: readonly Uint8Array[]): Buffer {
  const [only] = parts;
  return parts.length === 1 && only instanceof Buffer ? only : Buffer.concat(parts);
}

/** The same bytes in pieces of at least that many, but for the last. */
async function* windowsOf(
  bytes: Uint8Array | Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  bytesMin: number,
): AsyncGenerator<Buffer> {
  if (bytes instanceof Uint8Array) {
    yield asBuffer(bytes);
    return;
  }
  let parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of bytes) {
    parts.push(part);
    size += part.length;
    if (size < bytesMin) continue;
    yield asBuffer(joined(parts));
    parts = [];
    size = 0;
  }
  if (size > 0) yield asBuffer(joined(parts));
}

function asBuffer(bytes: Uint8Array): Buffer {
  return bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

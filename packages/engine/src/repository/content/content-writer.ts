import type { ChunkRange, ContentName, Segment, StoredContent } from '../../model/items.ts';
import { type Piece, takeApart } from '../base64-lines.ts';
import { asBuffer, beginningOf, following, windowsOf } from '../byte-stream.ts';
import { Gate } from '../gate.ts';
import type { ChunkSizes } from '../identity.ts';
import type { NewContent } from '../repository.ts';
import type { ChunkSink } from './chunk-sink.ts';
import type { Chunker } from './chunker.ts';

const SEGMENTS_MAX = 256;
/** A message that comes as a stream is decoded a window at a time, so that memory stays bounded. */
const WINDOW_BYTES = 16 * 2 ** 20;
/** A window of a message is in memory as it is, as text, and decoded. */
const WINDOW_COPIES = 3;
/** Bytes of long streams that are in memory at a time, of all writers together. */
const STREAM_BYTES_AT_ONCE = 24 * 2 ** 20;

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
  private readonly streams = new Gate(STREAM_BYTES_AT_ONCE);
  /** Of streams that were cut, for the next ones. */
  private readonly freeBuffers: Buffer[] = [];

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
    for (const bundle of bundles) if (bundle.size > 0) bundle.id = await this.sink.add(...bundle.parts);
    return Promise.all(drafts.map((draft) => this.finish(draft)));
  }

  private async draft({ name, bytes, sizeBytes }: NewContent, bundles: Bundle[]): Promise<Draft> {
    const draft: Draft = { name, sizeBytes: 0, segments: [] };
    if (bytes instanceof Uint8Array) {
      await this.addBytes(draft, asBuffer(bytes), bundles);
      return draft;
    }
    const { head, rest } = await beginningOf(bytes, this.sizes.minBytes + 1);
    if (rest === null) await this.addBytes(draft, head, bundles);
    else await this.addStream(draft, following(head, rest), sizeBytes ?? null, bundles);
    return draft;
  }

  /** What is in memory as a whole. */
  private async addBytes(draft: Draft, bytes: Buffer, bundles: Bundle[]): Promise<void> {
    draft.sizeBytes += bytes.length;
    const pieces = draft.name === 'mime' ? takeApart(bytes) : [{ bytes, shape: null }];
    for (const piece of pieces) await this.addPiece(draft, piece, bundles);
  }

  /** A stream that is longer than the smallest chunk: waits until there is memory for it. */
  private async addStream(
    draft: Draft,
    bytes: AsyncGenerator<Uint8Array>,
    sizeBytes: number | null,
    bundles: Bundle[],
  ): Promise<void> {
    const isMime = draft.name === 'mime';
    const windowBytes = Math.min(WINDOW_BYTES, Math.max(sizeBytes ?? WINDOW_BYTES, this.sizes.maxBytes));
    const room = isMime ? WINDOW_COPIES * windowBytes : this.sizes.maxBytes;
    await this.streams.enter(room);
    try {
      if (isMime) for await (const window of windowsOf(bytes, windowBytes)) await this.addBytes(draft, window, bundles);
      else for await (const range of this.streamRanges(bytes)) addRange(draft, range);
    } finally {
      this.streams.leave(room);
      await bytes.return(undefined);
    }
  }

  private async addPiece(draft: Draft, { bytes, shape }: Piece, bundles: Bundle[]): Promise<void> {
    if (bytes.length === 0) return;
    if (shape === null && bytes.length <= this.sizes.minBytes) {
      draft.segments.push(reserve(bundles, bytes, this.sizes.minBytes));
      return;
    }
    const of: ChunkRange[] = [];
    for await (const range of this.ranges(bytes)) of.push(range);
    draft.segments.push(...(shape === null ? of : [{ ...shape, of }]));
  }

  /** Cuts what is in memory, and stores the chunks. */
  private async *ranges(bytes: Uint8Array): AsyncGenerator<ChunkRange> {
    for (let at = 0; at < bytes.length; ) {
      const chunk = bytes.subarray(at, at + this.chunker.cut(bytes.subarray(at), true));
      yield [await this.sink.add(chunk), 0, chunk.length];
      at += chunk.length;
    }
  }

  /** Cuts a stream as it comes: no more of it is in memory than a chunk that is not found yet, and what came last. */
  private async *streamRanges(stream: AsyncIterable<Uint8Array>): AsyncGenerator<ChunkRange> {
    const memory = this.freeBuffers.pop() ?? Buffer.allocUnsafeSlow(this.sizes.maxBytes);
    let filled = 0;
    for await (const part of stream) {
      for (let at = 0; at < part.length; ) {
        const seen = filled;
        const copied = part.subarray(at, at + memory.length - filled);
        memory.set(copied, filled);
        filled += copied.length;
        at += copied.length;
        filled = yield* this.cutFrom(memory, filled, seen);
      }
    }
    for await (const range of this.ranges(memory.subarray(0, filled))) yield range;
    this.freeBuffers.push(memory);
  }

  /** Stores the chunks that memory begins with. @returns what is left of it, moved to its beginning */
  private async *cutFrom(memory: Buffer, filled: number, seen: number): AsyncGenerator<ChunkRange, number> {
    let start = 0;
    for (let before = seen; ; before = 0) {
      const length = this.chunker.cut(memory.subarray(start, filled), false, before);
      if (length === 0) break;
      yield [await this.sink.add(memory.subarray(start, start + length)), 0, length];
      start += length;
    }
    if (start > 0) memory.copyWithin(0, start, filled);
    return filled - start;
  }

  private async finish({ name, sizeBytes, segments }: Draft): Promise<StoredContent> {
    const placed = segments.map(
      (segment): Segment => ('bundle' in segment ? [segment.bundle.id, segment.start, segment.length] : segment),
    );
    if (placed.length <= SEGMENTS_MAX) return { name, sizeBytes, segments: placed };
    const list: Segment[] = [];
    for await (const range of this.ranges(Buffer.from(JSON.stringify(placed)))) list.push(range);
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

function addRange(draft: Draft, range: ChunkRange): void {
  draft.segments.push(range);
  draft.sizeBytes += range[2];
}

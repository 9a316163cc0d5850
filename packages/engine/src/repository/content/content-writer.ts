import type { ContentName, Segment, StoredContent } from '../../model/items.ts';
import { SharedRoom } from '../../model/shared-room.ts';
import { beginningOf, following, windowsOf } from '../byte-stream.ts';
import type { ChunkSizes } from '../identity.ts';
import type { NewContent } from '../repository.ts';
import type { BatchSink, Stored } from './batch-sink.ts';
import type { Chunker } from './chunker.ts';
import { listBytes, SEGMENTS_MAX, segmentsOf } from './content-cutter.ts';
import type { CutAs, GivenBytes } from './raw-batch.ts';

/** A message that comes as a stream is decoded a window at a time, so that memory stays bounded. */
const WINDOW_BYTES = 16 * 2 ** 20;
/** A window of a message is in memory in the pieces that came, and as a whole; its copy in a batch is counted there. */
const WINDOW_COPIES = 2;
/**
 * Bytes of long streams that are in memory at a time: of all runs of the process, of one, and of one whatever the others have. One that is stuck in a
 * window leaves room for another window.
 */
const SIZES = { room: 64 * 2 ** 20, share: 20 * 2 ** 20, reserve: 4 * 2 ** 20 };
const processRoom = new SharedRoom(SIZES);
/** Buffers that a run keeps for its next streams: what is not in use has no room. */
const SPARE_MAX = 1;

/** A content, as soon as it is known where it is. */
type Coming = () => Promise<StoredContent>;
type LongContent = NewContent & { bytes: AsyncIterable<Uint8Array> };

/** Gives the contents of items to be stored: what is short as it is, and what is long in windows, or chunks that are cut here. */
export class ContentWriter {
  private readonly sink: BatchSink;
  private readonly chunker: Chunker;
  private readonly sizes: ChunkSizes;
  private readonly streams = processRoom.share();
  /** Of streams that were cut, for the next ones. */
  private readonly freeBuffers: Buffer[] = [];

  constructor(sink: BatchSink, chunker: Chunker, sizes: ChunkSizes) {
    this.sink = sink;
    this.chunker = chunker;
    this.sizes = sizes;
  }

  /**
   * Reads the contents of one item and gives them to be stored. What is small shares chunks; the base64 of a content named `mime` is stored decoded.
   * @returns where they are, when all is read
   */
  async give(contents: readonly NewContent[]): Promise<Stored> {
    if (contents.length === 0) return async () => [];
    const short: GivenBytes[] = [];
    const long = new Map<ContentName, Coming>();
    for (const content of contents) {
      const { name, bytes } = content;
      if (bytes instanceof Uint8Array) short.push({ name, as: 'content', bytes });
      else await this.giveStream({ ...content, bytes }, short, long);
    }
    const stored = await this.sink.give(short);
    return long.size === 0 ? stored : () => inOrderOf(contents, stored, long);
  }

  private async giveStream(content: LongContent, short: GivenBytes[], long: Map<ContentName, Coming>): Promise<void> {
    const { head, rest } = await beginningOf(content.bytes, this.sizes.minBytes + 1);
    const { name } = content;
    if (rest === null) short.push({ name, as: 'content', bytes: head });
    else long.set(name, await this.giveLong(name, following(head, rest), content.sizeBytes ?? null));
  }

  /** A stream that is longer than the smallest chunk: waits until there is memory for it. */
  private async giveLong(
    name: ContentName,
    bytes: AsyncGenerator<Uint8Array>,
    sizeBytes: number | null,
  ): Promise<Coming> {
    const isMime = name === 'mime';
    const windowBytes = Math.min(WINDOW_BYTES, Math.max(sizeBytes ?? WINDOW_BYTES, this.sizes.maxBytes));
    const room = isMime ? WINDOW_COPIES * windowBytes : this.sizes.maxBytes;
    const parts: Stored[] = [];
    await this.streams.enter(room);
    try {
      if (isMime)
        for await (const window of windowsOf(bytes, windowBytes))
          parts.push(await this.giveOne(name, 'window', window));
      else for await (const chunk of this.chunksOf(bytes)) parts.push(await this.giveOne(name, 'chunk', chunk));
    } finally {
      this.streams.leave(room);
      await bytes.return(undefined);
    }
    return () => this.joined(name, parts);
  }

  private giveOne(name: ContentName, as: CutAs, bytes: Uint8Array): Promise<Stored> {
    return this.sink.give([{ name, as, bytes }]);
  }

  /** Cuts a stream as it comes: no more of it is in memory than a chunk that is not found yet, and what came last. */
  private async *chunksOf(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
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
    for (let start = 0; start < filled; ) {
      const length = this.chunker.cut(memory.subarray(start, filled), true);
      yield memory.subarray(start, start + length);
      start += length;
    }
    if (this.freeBuffers.length < SPARE_MAX) this.freeBuffers.push(memory);
  }

  /** The chunks that memory begins with. @returns what is left of it, moved to its beginning */
  private *cutFrom(memory: Buffer, filled: number, seen: number): Generator<Buffer, number> {
    let start = 0;
    for (let before = seen; ; before = 0) {
      const length = this.chunker.cut(memory.subarray(start, filled), false, before);
      if (length === 0) break;
      yield memory.subarray(start, start + length);
      start += length;
    }
    if (start > 0) memory.copyWithin(0, start, filled);
    return filled - start;
  }

  /** One content of its windows or chunks. */
  private async joined(name: ContentName, parts: readonly Stored[]): Promise<StoredContent> {
    const segments: Segment[] = [];
    let sizeBytes = 0;
    for (const stored of parts) {
      const [part] = await stored();
      segments.push(...segmentsOf(part));
      sizeBytes += part?.sizeBytes ?? 0;
    }
    if (segments.length <= SEGMENTS_MAX) return { name, sizeBytes, segments };
    const list = await this.giveOne('properties', 'window', listBytes(segments));
    this.sink.hurry();
    return { name, sizeBytes, list: segmentsOf((await list())[0]) };
  }
}

async function inOrderOf(
  contents: readonly NewContent[],
  short: Stored,
  long: ReadonlyMap<ContentName, Coming>,
): Promise<StoredContent[]> {
  const stored = (await short()).values();
  const all: StoredContent[] = [];
  for (const { name } of contents) {
    const content = long.has(name) ? await long.get(name)?.() : stored.next().value;
    if (content !== undefined) all.push(content);
  }
  return all;
}

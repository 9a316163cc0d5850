import type { KeyObject } from 'node:crypto';
import type { ChunkRange, Segment, StoredContent } from '../../model/items.ts';
import { type Piece, takeApart } from '../base64-lines.ts';
import type { ChunkSizes } from '../identity.ts';
import { keyedName } from '../keys.ts';
import { Chunker } from './chunker.ts';
import type { RawBytes, RawContent } from './raw-batch.ts';

/** A content of more segments has them in a list (format, 7). */
export const SEGMENTS_MAX = 256;

/** A chunk that was cut: its bytes may be a view of the memory of its batch. */
export interface CutChunk {
  name: Buffer;
  id: string;
  plain: Buffer;
  isAgain: boolean;
}

/** A batch that was cut. */
export interface CutBatch {
  chunks: CutChunk[];
  /** Of each group, where its contents are. */
  contents: StoredContent[][];
}

export interface CutterKeys {
  chunkNames: KeyObject;
  chunker: Uint8Array;
}

/** A range of a chunk that has no name yet. */
interface Reserved {
  bundle: Bundle;
  start: number;
  length: number;
}

interface Draft {
  raw: RawContent;
  segments: (Segment | Reserved)[];
}

/** Small pieces of one group, which share a chunk. */
class Bundle {
  size = 0;
  id = '';
  private readonly parts: Buffer[] = [];

  reserve(bytes: Buffer): Reserved {
    const reserved = { bundle: this, start: this.size, length: bytes.length };
    this.parts.push(bytes);
    this.size += bytes.length;
    return reserved;
  }

  /** As a rule the pieces are neighbours in memory, and need no copy. */
  get plain(): Buffer {
    const [first] = this.parts;
    if (first === undefined) return Buffer.alloc(0);
    let end = first.byteOffset;
    for (const part of this.parts) {
      if (part.buffer !== first.buffer || part.byteOffset !== end) return Buffer.concat(this.parts);
      end += part.length;
    }
    return Buffer.from(first.buffer, first.byteOffset, this.size);
  }
}

/**
 * Lays contents down as chunks (format, 5 and 7): takes base64 apart, cuts what is long, gathers what is small, and names the chunks. Computes alone:
 * it works in whichever thread calls it.
 */
export class ContentCutter {
  private readonly chunkNames: KeyObject;
  private readonly chunker: Chunker;
  private readonly minBytes: number;

  constructor({ chunkNames, chunker }: CutterKeys, sizes: ChunkSizes) {
    this.chunkNames = chunkNames;
    this.chunker = new Chunker(Buffer.from(chunker), sizes);
    this.minBytes = sizes.minBytes;
  }

  cut({ memory, groups }: RawBytes): CutBatch {
    const chunks: CutChunk[] = [];
    return { chunks, contents: groups.map((group) => this.cutGroup(group, memory, chunks)) };
  }

  private cutGroup(group: readonly RawContent[], memory: ArrayBuffer, chunks: CutChunk[]): StoredContent[] {
    const bundles: Bundle[] = [];
    const drafts = group.map((raw): Draft => {
      const bytes = Buffer.from(memory, raw.start, raw.length);
      if (raw.as === 'chunk' || raw.as === 'chunk-again')
        return { raw, segments: [this.add(chunks, bytes, raw.as === 'chunk-again')] };
      const pieces = raw.name === 'mime' ? takeApart(bytes) : [{ bytes, shape: null }];
      return { raw, segments: pieces.flatMap((piece) => this.segmentsOf(piece, bundles, chunks)) };
    });
    for (const bundle of bundles) [bundle.id] = this.add(chunks, bundle.plain);
    return drafts.map((draft) => this.finish(draft, chunks));
  }

  private segmentsOf({ bytes, shape }: Piece, bundles: Bundle[], chunks: CutChunk[]): (Segment | Reserved)[] {
    if (bytes.length === 0) return [];
    if (shape === null && bytes.length <= this.minBytes) return [reserve(bundles, bytes, this.minBytes)];
    const of = this.ranges(bytes, chunks);
    return shape === null ? of : [{ ...shape, of }];
  }

  private ranges(bytes: Buffer, chunks: CutChunk[]): ChunkRange[] {
    const ranges: ChunkRange[] = [];
    for (let at = 0; at < bytes.length; ) {
      const rest = bytes.subarray(at);
      const chunk = rest.subarray(0, this.chunker.cut(rest, true));
      ranges.push(this.add(chunks, chunk));
      at += chunk.length;
    }
    return ranges;
  }

  private add(chunks: CutChunk[], plain: Buffer, isAgain = false): ChunkRange {
    const name = keyedName(this.chunkNames, plain);
    const id = name.toString('base64url');
    chunks.push({ name, id, plain, isAgain });
    return [id, 0, plain.length];
  }

  private finish({ raw, segments }: Draft, chunks: CutChunk[]): StoredContent {
    const { name, length: sizeBytes } = raw;
    const placed = segments.map(
      (segment): Segment => ('bundle' in segment ? [segment.bundle.id, segment.start, segment.length] : segment),
    );
    if (raw.as !== 'content' || placed.length <= SEGMENTS_MAX) return { name, sizeBytes, segments: placed };
    return { name, sizeBytes, list: this.ranges(listBytes(placed), chunks) };
  }
}

/** The content that a list of segments is. */
export function listBytes(segments: readonly Segment[]): Buffer {
  return Buffer.from(JSON.stringify(segments));
}

function reserve(bundles: Bundle[], bytes: Buffer, bytesMax: number): Reserved {
  const last = bundles.at(-1);
  if (last !== undefined && last.size + bytes.length <= bytesMax) return last.reserve(bytes);
  const next = new Bundle();
  bundles.push(next);
  return next.reserve(bytes);
}

/** The segments of what was given as a window or a chunk. */
export function segmentsOf(content: StoredContent | undefined): readonly Segment[] {
  return content !== undefined && 'segments' in content ? content.segments : [];
}

import type { KeyObject } from 'node:crypto';
import { EngineError } from '../../model/engine-error.ts';
import type { ChunkRange, Segment, StoredContent } from '../../model/items.ts';
import { isAbsent } from '../../store/has-object.ts';
import type { ObjectStore } from '../../store/object-store.ts';
import { encodeLines, writeEnd } from '../base64-lines.ts';
import type { ChunkIndex } from '../chunk-index.ts';
import type { ChunkPlace } from '../commit.ts';
import { keyOf, type RepositoryKeys } from '../keys.ts';
import { chunkIn, openBody } from '../packs/pack-body.ts';
import { packObjectName } from '../packs/pack-builder.ts';
import { BODIES_START, saltOf } from '../packs/pack-layout.ts';
import { FetchedChunks } from './fetched-chunks.ts';
import { RecentChunks } from './recent-chunks.ts';

/** Packs whose salts are remembered: a read of one object meets the same packs again and again. */
const SALTS_MAX = 4_096;
/** Chunks are looked up and fetched this many ahead, as far as there is memory for it. */
const AHEAD = 4;
const LOOKUP_RANGES = 1_000;

const processRecent = new RecentChunks();
let readers = 0;

/** Brings back contents, byte for byte. */
export class ContentReader {
  private readonly store: ObjectStore;
  private readonly keys: RepositoryKeys;
  /** Names its chunks among those of other repositories. */
  private readonly number: number;
  private readonly packKeys = new Map<string, Promise<KeyObject>>();
  /** Groups that are being opened, by pack and offset: who needs another chunk of one waits for it. */
  private readonly opening = new Map<string, Promise<Buffer | null>>();
  /** Chunks of opened groups that were found to be what they are named: an attachment that was sent around is needed again and again. */
  private readonly checked = new WeakMap<Buffer, Map<string, Buffer>>();

  constructor(store: ObjectStore, keys: RepositoryKeys) {
    this.store = store;
    this.keys = keys;
    readers += 1;
    this.number = readers;
  }

  async *read(content: StoredContent, index: ChunkIndex, signal?: AbortSignal): AsyncGenerator<Buffer> {
    const segments = await this.segmentsOf(content, index);
    let readBytes = 0;
    for await (const bytes of this.bytesOf(segments, index)) {
      signal?.throwIfAborted();
      readBytes += bytes.length;
      yield bytes;
    }
    if (readBytes !== content.sizeBytes) {
      throw new EngineError(
        'damaged',
        `The content ${content.name} has ${readBytes} bytes where ${content.sizeBytes} were stored.`,
      );
    }
  }

  /** As `chunk`; what was read a moment ago, such as the other contents of an item, is not read again. */
  private async recentChunk(id: string, places: readonly ChunkPlace[]): Promise<Buffer> {
    const key = `${this.number} ${id}`;
    const known = processRecent.get(key);
    if (known !== undefined) return known;
    const chunk = await this.chunk(id, places);
    // One of a group would retain all of it, and the group itself is there.
    if (places.every(({ groupStart }) => groupStart === undefined)) processRecent.add(key, chunk);
    return chunk;
  }

  /** As `recentChunk`. Readers have no lock, so a prune may have moved the chunk since it was looked up: then it is looked up once more. */
  private async movedChunk(id: string, places: readonly ChunkPlace[], index: ChunkIndex): Promise<Buffer> {
    try {
      return await this.recentChunk(id, places);
    } catch (error) {
      if (!isAbsent(error)) throw error;
      const now = (await (index.locateAgain?.([id]) ?? index.locate([id]))).get(id) ?? [];
      const moved = now.filter(({ pack }) => !places.some((before) => before.pack === pack));
      if (moved.length === 0) throw error;
      return await this.recentChunk(id, moved);
    }
  }

  /**
   * A chunk, checked, from whichever pack gives it.
   * @param isFresh whether it is read from the store, also where its group was a moment ago
   * @throws `damaged` when none does
   */
  async chunk(id: string, places: readonly ChunkPlace[], isFresh = false): Promise<Buffer> {
    let failure: unknown;
    for (const place of places) {
      try {
        return await this.chunkAt(id, place, isFresh);
      } catch (error) {
        failure = error;
      }
    }
    if (places.length > 0) throw failure;
    throw new EngineError(
      'damaged',
      `The chunk ${id} is in no pack of this repository. A verify marks what is lost, and the next backup reads again what its source still has.`,
      { remedy: 'verify' },
    );
  }

  /** The segments of a content, those of its list included. */
  async segmentsOf(content: StoredContent, index: ChunkIndex): Promise<readonly Segment[]> {
    if ('segments' in content) return content.segments;
    const parts: Buffer[] = [];
    for await (const bytes of this.bytesOf(content.list, index)) parts.push(bytes);
    // What is in a chunk was written by this program and is authentic: the chunk's tag and id say so.
    return JSON.parse(Buffer.concat(parts).toString());
  }

  private async *bytesOf(segments: readonly Segment[], index: ChunkIndex): AsyncGenerator<Buffer> {
    const ranges = this.rangesOf(segments, index);
    try {
      for (const segment of segments) {
        if (!('base64' in segment)) yield (await ranges.next()).value ?? Buffer.alloc(0);
        else yield* encoded(ranges, segment);
      }
    } finally {
      await ranges.return(undefined);
    }
  }

  /** The bytes of all ranges in order, some fetched ahead. Neighbours in one chunk are fetched once. */
  private async *rangesOf(segments: readonly Segment[], index: ChunkIndex): AsyncGenerator<Buffer> {
    const ranges = segments.flatMap((segment): readonly ChunkRange[] => ('base64' in segment ? segment.of : [segment]));
    for (let at = 0; at < ranges.length; at += LOOKUP_RANGES) {
      const some = ranges.slice(at, at + LOOKUP_RANGES);
      const places = await index.locate([...new Set(some.map(([id]) => id))]);
      yield* this.fetched(some, places, index);
    }
  }

  private async *fetched(
    ranges: readonly ChunkRange[],
    places: ReadonlyMap<string, readonly ChunkPlace[]>,
    index: ChunkIndex,
  ): AsyncGenerator<Buffer> {
    const chunks = new FetchedChunks(places, (id) => this.movedChunk(id, places.get(id) ?? [], index));
    try {
      for (const [at, [id, start, length]] of ranges.entries()) {
        const chunk = chunks.of(id);
        chunks.fetchAhead(ranges.slice(at + 1, at + AHEAD).map(([next]) => next));
        const bytes = await chunk;
        if (start + length > bytes.length)
          throw new EngineError('damaged', `The chunk ${id} is shorter than an item needs.`);
        yield bytes.subarray(start, start + length);
      }
    } finally {
      chunks.release();
    }
  }

  private async chunkAt(id: string, place: ChunkPlace, isFresh: boolean): Promise<Buffer> {
    const body = await (isFresh || place.groupStart === undefined ? this.body(id, place) : this.groupOf(id, place));
    const plain = body === null ? null : this.checkedChunk(body, id, place);
    if (plain !== null) return plain;
    throw new EngineError('damaged', `The chunk ${id} in the pack ${place.pack} was changed after it was written.`);
  }

  private checkedChunk(body: Buffer, id: string, place: ChunkPlace): Buffer | null {
    if (place.groupStart === undefined) return chunkIn(body, this.keys.chunkNames, { id, ...place });
    const known = this.checked.get(body) ?? new Map<string, Buffer>();
    this.checked.set(body, known);
    const checked = known.get(id);
    const isThere = checked?.byteOffset === body.byteOffset + place.groupStart && checked.length === place.plainBytes;
    if (isThere) return checked;
    const plain = chunkIn(body, this.keys.chunkNames, { id, ...place });
    if (plain !== null) known.set(id, plain);
    return plain;
  }

  /** `null` for bytes that were changed. */
  private async body(id: string, place: ChunkPlace): Promise<Buffer | null> {
    const key = await this.packKey(place.pack);
    const sealed = await this.store.readRange(packObjectName(place.pack), place.offset, place.storedBytes);
    return openBody(key, id, place, sealed);
  }

  /** As `body`; neighbours of a chunk are mostly needed next, and attachments that are sent around again and again. */
  private groupOf(id: string, place: ChunkPlace): Promise<Buffer | null> {
    const name = `${this.number} ${place.pack} ${place.offset}`;
    const known = processRecent.get(name);
    if (known !== undefined) return Promise.resolve(known);
    const opening = this.opening.get(name) ?? this.openGroup(name, id, place);
    this.opening.set(name, opening);
    return opening;
  }

  private async openGroup(name: string, id: string, place: ChunkPlace): Promise<Buffer | null> {
    try {
      const body = await this.body(id, place);
      if (body !== null) processRecent.add(name, body);
      return body;
    } finally {
      this.opening.delete(name);
    }
  }

  private packKey(name: string): Promise<KeyObject> {
    const known = this.packKeys.get(name);
    if (known !== undefined) return known;
    const deriving = this.store
      .readRange(packObjectName(name), 0, BODIES_START)
      .then((head) => keyOf(this.keys.encryption, saltOf(head, name), 'pack'));
    this.packKeys.set(name, deriving);
    deriving.catch(() => this.packKeys.delete(name));
    if (this.packKeys.size > SALTS_MAX) this.packKeys.delete(this.packKeys.keys().next().value ?? '');
    return deriving;
  }
}

/** Ranges as lines of base64. What does not fill a line waits for the next range. */
async function* encoded(
  ranges: AsyncGenerator<Buffer>,
  { base64, end, of }: { base64: number; end: 'crlf' | 'lf'; of: readonly ChunkRange[] },
): AsyncGenerator<Buffer> {
  const lineBytes = (base64 / 4) * 3;
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = true;
  for (const [at] of of.entries()) {
    const { value } = await ranges.next();
    rest = rest.length === 0 ? (value ?? rest) : Buffer.concat([rest, value ?? Buffer.alloc(0)]);
    const whole = at === of.length - 1 ? rest.length : rest.length - (rest.length % lineBytes);
    if (whole === 0) continue;
    if (!isFirst) yield lineEnd(end);
    isFirst = false;
    yield encodeLines(rest.subarray(0, whole), { base64, end });
    rest = rest.subarray(whole);
  }
}

function lineEnd(end: 'crlf' | 'lf'): Buffer {
  const bytes = Buffer.alloc(end === 'crlf' ? 2 : 1);
  writeEnd(bytes, 0, end);
  return bytes;
}

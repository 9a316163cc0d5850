import { SharedRoom } from '../../model/shared-room.ts';
import type { ChunkPlace } from '../commit.ts';

/** Bytes of chunks that readers have beside the one that they need next: of all of the process, of one, and of one whatever the others have. */
const SIZES = { room: 48 * 2 ** 20, share: 16 * 2 ** 20, reserve: 2 ** 20 };
const processRoom = new SharedRoom(SIZES);
/** Of those that were read: neighbours are often in one chunk. */
const CHUNKS_MAX = 8;

interface Fetched {
  bytes: Promise<Buffer>;
  /** What it has of the room. */
  room: number;
}

/**
 * The chunks that one reader has in memory: the one that it needs now, which it always gets, and those before and after it as far as there is room. So
 * a reader that is not read on, such as a download that stalls, has one chunk and no more than its share.
 */
export class FetchedChunks {
  private readonly places: ReadonlyMap<string, readonly Pick<ChunkPlace, 'plainBytes'>[]>;
  private readonly fetch: (id: string) => Promise<Buffer>;
  private readonly room = processRoom.share();
  private readonly chunks = new Map<string, Fetched>();
  private now: { id: string; bytes: Promise<Buffer> } | null = null;

  constructor(places: FetchedChunks['places'], fetch: (id: string) => Promise<Buffer>) {
    this.places = places;
    this.fetch = fetch;
  }

  /** A chunk that is needed now. */
  of(id: string): Promise<Buffer> {
    if (this.now?.id === id) return this.now.bytes;
    const known = this.chunks.get(id);
    const bytes = known?.bytes ?? this.fetch(id);
    const room = this.sizeOf(id);
    if (known === undefined && this.room.enterNow(room)) this.add(id, bytes, room);
    this.now = { id, bytes };
    return bytes;
  }

  /** Begins to fetch what is needed next, as far as there is room for it. */
  fetchAhead(ids: readonly string[]): void {
    for (const id of ids) {
      if (this.chunks.has(id)) continue;
      const room = this.sizeOf(id);
      if (!this.room.enterNow(room)) return;
      this.add(id, this.fetch(id), room);
    }
  }

  /** Gives back what it has. */
  release(): void {
    for (const { room } of this.chunks.values()) this.room.leave(room);
    this.chunks.clear();
    this.now = null;
  }

  private add(id: string, bytes: Promise<Buffer>, room: number): void {
    // It is awaited in its turn; until then a failure must not count as unhandled.
    bytes.catch(() => undefined);
    this.chunks.set(id, { bytes, room });
    // The oldest leaves: what is needed once more is fetched once more.
    for (const [oldest, one] of this.chunks) {
      if (this.chunks.size <= CHUNKS_MAX) return;
      this.chunks.delete(oldest);
      this.room.leave(one.room);
    }
  }

  private sizeOf(id: string): number {
    return this.places.get(id)?.[0]?.plainBytes ?? 0;
  }
}

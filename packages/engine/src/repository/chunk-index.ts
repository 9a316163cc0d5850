import type { ChunkPlace } from './commit.ts';

/** Finds where chunks are stored: answered by the catalog. A chunk in a retired pack is not found. */
export interface ChunkIndex {
  /**
   * All places of the chunks that are known, by id in base64url, those where a verify could not read them last; at most 5,000 ids
   * a call.
   */
  locate(ids: readonly string[]): Promise<ReadonlyMap<string, readonly ChunkPlace[]>>;
  /** The same, of an index that remembers earlier answers: it asks again, as a prune moves chunks. */
  locateAgain?(ids: readonly string[]): Promise<ReadonlyMap<string, readonly ChunkPlace[]>>;
}

/** The same without places that are damaged: what a chunk that is to be stored may be found by. */
export function soundPlaces(index: ChunkIndex): ChunkIndex {
  return {
    async locate(ids) {
      const sound = new Map<string, readonly ChunkPlace[]>();
      for (const [id, places] of await index.locate(ids)) {
        const whole = places.filter(({ isDamaged }) => isDamaged !== true);
        if (whole.length > 0) sound.set(id, whole);
      }
      return sound;
    },
  };
}

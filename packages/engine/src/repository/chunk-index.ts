import type { ChunkPlace } from './commit.ts';

/** Where chunks lie: answered by the catalog. A chunk in a retired pack is not found. */
export interface ChunkIndex {
  /** All places of the chunks that are known, by id in base64url; at most 5,000 ids a call. */
  locate(ids: readonly string[]): Promise<ReadonlyMap<string, readonly ChunkPlace[]>>;
}

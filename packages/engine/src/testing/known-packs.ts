import type { ChunkIndex } from '../repository/chunk-index.ts';
import type { ChunkPlace, StoredPack } from '../repository/commit.ts';

/** An index in memory of the packs that are given to it. */
export class KnownPacks implements ChunkIndex {
  private readonly places = new Map<string, ChunkPlace[]>();

  add(packs: readonly StoredPack[]): void {
    for (const { name, chunks } of packs)
      for (const { id, ...place } of chunks)
        this.places.set(id, [...(this.places.get(id) ?? []), { ...place, pack: name }]);
  }

  async locate(ids: readonly string[]): Promise<ReadonlyMap<string, readonly ChunkPlace[]>> {
    return new Map(ids.flatMap((id) => (this.places.has(id) ? [[id, this.places.get(id) ?? []] as const] : [])));
  }
}

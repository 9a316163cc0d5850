import type { RepositoryCatalog } from '../catalog/catalog.ts';
import type { Repository } from '../repository/repository.ts';

/** Chunks of which no pack has a whole copy. */
export async function withoutOtherCopy(
  repository: Repository,
  catalog: RepositoryCatalog,
  damaged: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<string[]> {
  const unrecoverableChunks: string[] = [];
  const chunks = [...damaged.keys()];
  for (let at = 0; at < chunks.length; at += 5_000) {
    const some = chunks.slice(at, at + 5_000);
    const places = await catalog.locate(some);
    for (const chunk of some) {
      const others = (places.get(chunk) ?? []).filter(({ pack }) => !damaged.get(chunk)?.has(pack));
      if (!(await repository.hasChunk(chunk, others))) unrecoverableChunks.push(chunk);
    }
  }
  return unrecoverableChunks;
}

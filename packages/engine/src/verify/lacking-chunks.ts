import type { RepositoryCatalog } from '../catalog/catalog.ts';
import type { Segment, StoredContent } from '../model/items.ts';
import { orDamaged } from '../model/or-damaged.ts';
import type { Repository } from '../repository/repository.ts';
import type { DamagedItem } from './damaged-item.ts';

/** Versions that need chunks of which no journal says where they are: those that did are lost. A pass over all versions. */
export async function versionsLackingChunks(
  repository: Repository,
  catalog: RepositoryCatalog,
): Promise<DamagedItem[]> {
  const found: DamagedItem[] = [];
  for await (const item of catalog.versionsLackingChunks((content) => readableList(repository, catalog, content)))
    found.push(item);
  return found;
}

const CHUNKS_A_QUESTION = 100_000;

/** Versions that need any of the chunks, each once with all of them. A pass over all versions for each question. */
export async function versionsUsing(
  repository: Repository,
  catalog: RepositoryCatalog,
  chunks: readonly string[],
): Promise<DamagedItem[]> {
  const readList = (content: StoredContent) => readableList(repository, catalog, content);
  const found = new Map<string, DamagedItem>();
  for (let at = 0; at < chunks.length; at += CHUNKS_A_QUESTION)
    for await (const item of catalog.versionsUsing(chunks.slice(at, at + CHUNKS_A_QUESTION), readList)) {
      const { object, version } = item;
      const name = `${object.key} ${version.firstRevision} ${version.id}`;
      const before = found.get(name);
      found.set(name, before === undefined ? item : { ...before, chunks: [...before.chunks, ...item.chunks] });
    }
  return [...found.values()];
}

/** The segments of a long content; none when its list is damaged: the chunks of the list itself are among those asked for then. */
async function readableList(
  repository: Repository,
  catalog: RepositoryCatalog,
  content: StoredContent,
): Promise<readonly Segment[]> {
  return (await orDamaged(repository.segmentsOf(content, catalog))) ?? [];
}

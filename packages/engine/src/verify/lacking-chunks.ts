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

/** Versions that need any of the chunks, each once with all of them. A pass over all versions. */
export async function versionsUsing(
  repository: Repository,
  catalog: RepositoryCatalog,
  chunks: readonly string[],
): Promise<DamagedItem[]> {
  const found: DamagedItem[] = [];
  if (chunks.length === 0) return found;
  const readList = (content: StoredContent) => readableList(repository, catalog, content);
  for await (const item of catalog.versionsUsing(chunks, readList)) found.push(item);
  return found;
}

/** The segments of a long content; none when its list is damaged: the chunks of the list itself are among those asked for then. */
async function readableList(
  repository: Repository,
  catalog: RepositoryCatalog,
  content: StoredContent,
): Promise<readonly Segment[]> {
  return (await orDamaged(repository.segmentsOf(content, catalog))) ?? [];
}

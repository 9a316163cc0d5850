import type { RepositoryCatalog } from '../../../catalog/catalog.ts';
import { EngineError } from '../../../model/engine-error.ts';
import type { StoredContent } from '../../../model/items.ts';
import type { Repository } from '../../../repository/repository.ts';
import { contentDigest } from './content-digest.ts';

/** An item as a restore point has it: all of it as text, or `null` where its bytes cannot be read. */
export interface PointItem {
  id: string;
  text: string | null;
  firstRevision: number;
}

/** Reads all bytes of an object at a revision. @param read what was read before, by place */
export async function readPoint(
  { repository, catalog }: { repository: Repository; catalog: RepositoryCatalog },
  object: string,
  revision: number,
  read: Map<string, string | null>,
): Promise<PointItem[]> {
  const items: PointItem[] = [];
  for await (const { id, kind, name, parentId, contents, firstRevision } of catalog.walk(object, revision, null)) {
    const digests: [string, string][] = [];
    let isWhole = true;
    for (const content of contents) {
      const place = JSON.stringify(content);
      const digest = read.has(place) ? read.get(place) : await digestOf(repository, catalog, content);
      read.set(place, digest ?? null);
      if (typeof digest === 'string') digests.push([content.name, digest]);
      else isWhole = false;
    }
    items.push({ id, text: isWhole ? JSON.stringify([kind, name, parentId, digests]) : null, firstRevision });
  }
  return items;
}

/** `null` only where the repository says that the bytes are not there or not what they were. */
async function digestOf(repository: Repository, catalog: RepositoryCatalog, content: StoredContent) {
  const parts: Buffer[] = [];
  try {
    for await (const bytes of repository.read(content, catalog)) parts.push(bytes);
  } catch (error) {
    if (error instanceof EngineError && (error.code === 'damaged' || error.code === 'not-found')) return null;
    throw error;
  }
  return contentDigest(content.name, Buffer.concat(parts));
}

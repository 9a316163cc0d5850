import { createHash } from 'node:crypto';
import type { RepositoryCatalog } from '../catalog/catalog.ts';
import type { StoredContent } from '../model/items.ts';
import type { Repository } from '../repository/repository.ts';
import type { WrittenObject } from './written-source.ts';

/** Items by id: where they are and what is in them, as text that can be compared. */
export type State = ReadonlyMap<string, string>;

/** What a source has now. */
export function writtenState({ items }: WrittenObject): State {
  return new Map(
    [...items].map(([id, { kind, name, parentId, contents }]) => {
      const digests = Object.entries(contents).map(([content, bytes]) => [content, digestOf([bytes])]);
      return [id, JSON.stringify([kind, name, parentId, digests])] as const;
    }),
  );
}

/** What comes back of an object at a revision. @param read what was read before, by place: without it every byte is read */
export async function restoredState(
  repository: Repository,
  catalog: RepositoryCatalog,
  object: string,
  revision: number,
  read = new Map<string, string>(),
): Promise<State> {
  const state = new Map<string, string>();
  for await (const { id, kind, name, parentId, contents } of catalog.walk(object, revision, null)) {
    const digests: [string, string][] = [];
    for (const content of contents) {
      const place = JSON.stringify(content);
      const digest = read.get(place) ?? (await restoredDigest(repository, catalog, content));
      read.set(place, digest);
      digests.push([content.name, digest]);
    }
    state.set(id, JSON.stringify([kind, name, parentId, digests]));
  }
  return state;
}

async function restoredDigest(repository: Repository, catalog: RepositoryCatalog, content: StoredContent) {
  const parts: Buffer[] = [];
  for await (const bytes of repository.read(content, catalog)) parts.push(bytes);
  return digestOf(parts);
}

function digestOf(parts: readonly Buffer[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}

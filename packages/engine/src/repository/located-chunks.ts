import type { StoredContent } from '../model/items.ts';
import type { ChunkIndex } from './chunk-index.ts';
import type { ChunkPlace } from './commit.ts';

const LOOKUPS_MAX = 5_000;

/** The places of the chunks of some items, asked for at once: reading each of them then asks nobody. Others are asked for as they come. */
export async function locateAll(index: ChunkIndex, contents: Iterable<StoredContent>): Promise<ChunkIndex> {
  const ids = new Set<string>();
  for (const content of contents) {
    for (const segment of 'segments' in content ? content.segments : content.list) {
      if ('base64' in segment) for (const [id] of segment.of) ids.add(id);
      else ids.add(segment[0]);
    }
  }
  const known = new Map<string, readonly ChunkPlace[]>();
  const asked = [...ids];
  for (let at = 0; at < asked.length; at += LOOKUPS_MAX)
    for (const [id, places] of await index.locate(asked.slice(at, at + LOOKUPS_MAX))) known.set(id, places);
  return { locate: async (some) => (some.every((id) => known.has(id)) ? known : index.locate(some)) };
}

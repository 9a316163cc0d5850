import type { ItemVersion, Segment, StoredContent } from '../model/items.ts';
import type { ChunkIndex } from '../repository/chunk-index.ts';
import type { ChunkPlace } from '../repository/commit.ts';

const VERSIONS_A_QUESTION = 200;
const CHUNKS_A_QUESTION = 5_000;

/** An item version, and an index that answers for its chunks without asking the database. */
export interface Located {
  version: ItemVersion;
  index: ChunkIndex;
}

/**
 * The same versions in the same order, with the places of their chunks looked up for many at once: a question an item would take
 * longer than reading it.
 */
export async function* locatedAhead(index: ChunkIndex, versions: AsyncIterable<ItemVersion>): AsyncGenerator<Located> {
  let page: ItemVersion[] = [];
  for await (const version of versions) {
    page.push(version);
    if (page.length < VERSIONS_A_QUESTION) continue;
    yield* located(index, page);
    page = [];
  }
  yield* located(index, page);
}

async function* located(index: ChunkIndex, page: readonly ItemVersion[]): AsyncGenerator<Located> {
  const remembering = await locatedIndex(
    index,
    page.flatMap(({ contents }) => contents),
  );
  for (const version of page) yield { version, index: remembering };
}

/** An index that answers for the chunks of some contents, looked up at once, without asking the database. */
export async function locatedIndex(index: ChunkIndex, contents: readonly StoredContent[]): Promise<ChunkIndex> {
  const ids = [...new Set(contents.flatMap(chunksOf))];
  const places = new Map<string, readonly ChunkPlace[]>();
  for (let at = 0; at < ids.length; at += CHUNKS_A_QUESTION) {
    for (const [id, found] of await index.locate(ids.slice(at, at + CHUNKS_A_QUESTION))) places.set(id, found);
  }
  return {
    locate: (chunks) => locateIn(places, index, chunks),
    locateAgain: (chunks) => index.locate(chunks),
  };
}

/** What is not known from the look ahead, such as the chunks of a long list, is asked for as ever. */
async function locateIn(
  places: ReadonlyMap<string, readonly ChunkPlace[]>,
  index: ChunkIndex,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly ChunkPlace[]>> {
  const unknown = ids.filter((id) => !places.has(id));
  const asked = unknown.length === 0 ? new Map<string, readonly ChunkPlace[]>() : await index.locate(unknown);
  return new Map(
    ids.flatMap((id) => {
      const found = places.get(id) ?? asked.get(id);
      return found === undefined ? [] : [[id, found] as const];
    }),
  );
}

/** Long contents are looked up while they are read: only the first chunks of each are looked up ahead. */
const SEGMENTS_AHEAD = 64;

function chunksOf(content: StoredContent): string[] {
  return ('segments' in content ? content.segments : content.list).slice(0, SEGMENTS_AHEAD).flatMap(chunksOfSegment);
}

function chunksOfSegment(segment: Segment): string[] {
  return 'base64' in segment ? segment.of.slice(0, SEGMENTS_AHEAD).map(([id]) => id) : [segment[0]];
}

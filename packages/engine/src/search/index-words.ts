import type { RepositoryCatalog } from '../catalog/catalog.ts';
import { locatedIndex } from '../catalog/located-ahead.ts';
import { inOrder } from '../model/in-order.ts';
import { orDamaged } from '../model/or-damaged.ts';
import type { ChunkIndex } from '../repository/chunk-index.ts';
import type { Repository } from '../repository/repository.ts';
import { type ItemText, wordsOf } from './words-of.ts';

const ITEMS_A_BATCH = 200;
/** Each may take some megabytes while it is read and parsed. */
const ITEMS_AT_ONCE = 8;

interface IndexOptions {
  signal?: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

/**
 * Makes the texts of new item versions searchable. It runs behind backups, and may be cut short anywhere: what is not indexed yet is
 * counted, and is the next run's work.
 *
 * @returns how many versions were indexed
 */
export async function indexWords(
  of: Repository,
  catalog: RepositoryCatalog,
  { signal, onProgress }: IndexOptions = {},
): Promise<number> {
  const repository = signal === undefined ? of : of.until(signal);
  const total = await catalog.countUnindexed();
  let done = 0;
  for (;;) {
    if (signal?.aborted === true) return done;
    const waiting = await catalog.unindexed(ITEMS_A_BATCH);
    if (waiting.length === 0) break;
    const index = await locatedIndex(
      catalog,
      waiting.flatMap(({ version }) => version.contents),
    );
    const words = await wordsOfAll(repository, index, waiting, signal);
    if (words === null) return done;
    await catalog.index(words);
    done += waiting.length;
    onProgress?.(done, Math.max(done, total));
  }
  if (done > 0) await catalog.mergeIndex();
  return done;
}

/** A `verify` reports a damaged item; the search does without its text instead of stopping at it for ever. */
const UNREADABLE: ItemText = { text: '', attachmentNames: [] };

type IndexedWords = Parameters<RepositoryCatalog['index']>[0][number];
type Waiting = Awaited<ReturnType<RepositoryCatalog['unindexed']>>[number];

/** `null` where the signal came before the last of them was read. */
async function wordsOfAll(
  repository: Repository,
  index: ChunkIndex,
  waiting: readonly Waiting[],
  signal: AbortSignal | undefined,
): Promise<IndexedWords[] | null> {
  const words: IndexedWords[] = [];
  try {
    for await (const one of inOrder(given(waiting), ITEMS_AT_ONCE, (item) => wordsOfOne(repository, index, item)))
      words.push(one);
    return words;
  } catch (error) {
    if (signal?.aborted === true) return null;
    throw error;
  }
}

async function* given(waiting: readonly Waiting[]): AsyncGenerator<Waiting> {
  yield* waiting;
}

async function wordsOfOne(
  repository: Repository,
  index: ChunkIndex,
  { object, version }: Waiting,
): Promise<IndexedWords> {
  const words = (await orDamaged(wordsOf(repository, index, version))) ?? UNREADABLE;
  return { object, item: version.id, firstRevision: version.firstRevision, ...words };
}

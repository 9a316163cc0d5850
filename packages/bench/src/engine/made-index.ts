import type { RepositoryCatalog } from '@keepwatch/engine/catalog/catalog';
import pg from 'pg';

const WORDS_A_TEXT = 60;
const ITEMS_A_BATCH = 2_000;
const INDEX = 'engine.search_entries_words';

/** Indexes all that waits for it, with made texts. */
export async function indexMadeTexts(catalog: RepositoryCatalog, words: (count: number) => string): Promise<void> {
  for (;;) {
    const waiting = await catalog.unindexed(ITEMS_A_BATCH);
    if (waiting.length === 0) return;
    await catalog.index(
      waiting.map(({ object, version }) => ({
        object,
        item: version.id,
        firstRevision: version.firstRevision,
        text: words(WORDS_A_TEXT),
      })),
    );
  }
}

/**
 * Does work without the index of words, and makes that at its end: the same index, in a small part of the time, where nothing is searched
 * meanwhile.
 */
export async function indexAtOnce(databaseUrl: string, work: () => Promise<void>): Promise<void> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<{ definition: string }>(
      `SELECT pg_get_indexdef('${INDEX}'::regclass) AS definition`,
    );
    await client.query(`DROP INDEX ${INDEX}`);
    await work();
    await client.query("SET maintenance_work_mem = '1GB'");
    for (const { definition } of rows) await client.query(definition);
  } finally {
    await client.end();
  }
}

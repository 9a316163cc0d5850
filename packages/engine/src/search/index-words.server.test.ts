import pg from 'pg';
import { expect, test } from 'vitest';
import { folder, json, MAILBOX } from '../browse/testing/list-source.ts';
import { StoredBackup } from '../browse/testing/stored-backup.ts';
import { indexWords } from './index-words.ts';

/** Merges what is in the list of words that were written last. @returns its pages */
async function pagesToMerge(databaseUrl: string): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const merged = await client.query("SELECT gin_clean_pending_list('engine.search_entries_words') AS pages");
    return Number(merged.rows[0].pages);
  } finally {
    await client.end();
  }
}

test('leaves no list of new words that each search would have to read', async () => {
  const stored = await StoredBackup.create();
  try {
    const messages = ['a', 'b', 'c'].map((id) => ({
      id,
      kind: 'message' as const,
      name: id,
      parentId: 'inbox',
      contents: { ...json({ subject: id }), mime: 'Content-Type: text/plain\r\n\r\nzebra' },
    }));
    await stored.backUp(MAILBOX, [folder('inbox', 'mail-folder', 'Inbox'), ...messages]);
    const waiting = await stored.catalog.unindexed(1);
    await stored.catalog.index(
      waiting.map(({ object, version }) => ({
        object,
        item: version.id,
        firstRevision: version.firstRevision,
        text: 'lion',
      })),
    );
    expect(await pagesToMerge(stored.databaseUrl)).toBeGreaterThan(0);
    await indexWords(stored.repository, stored.catalog);
    expect(await pagesToMerge(stored.databaseUrl)).toBe(0);
    expect((await stored.catalog.search({ text: 'zebra', limit: 9 })).hits).toHaveLength(3);
  } finally {
    await stored.close();
  }
});

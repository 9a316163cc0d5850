import { afterAll, beforeAll, expect, test } from 'vitest';
import { openRestoreJournal } from '../../restore/restore-journal.ts';
import { restoreJournalsSuite } from '../../suites/restore-journals.suite.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { openCatalog, type PostgresCatalog } from './open-catalog.ts';

let database: TestDatabase;
const opened: PostgresCatalog[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  for (const catalog of opened) await catalog.close();
  await database.drop();
});

restoreJournalsSuite('PostgreSQL', async () => {
  const catalog = await openCatalog(database.url);
  opened.push(catalog);
  return catalog.restoreJournals;
});

test('unfinished restores are listed with object, instant and counts, and discarded while none is under way', async () => {
  const catalog = await openCatalog(database.url);
  opened.push(catalog);
  const { restoreJournals } = catalog;
  const about = { object: 'mailbox/ada', objectName: 'Ada', to: 'mailbox organization ada', toName: 'Ada' };
  const begin = async (restore: string, object: string) =>
    openRestoreJournal(restoreJournals, restore, () => undefined, { ...about, object });
  const journal = await begin('first', 'mailbox/ada');
  await (await begin('second', 'mailbox/bob')).close();
  await journal.begin('a', []);
  await journal.begin('","outcome":"skipped"', ['before']);
  const done = { kind: 'message', name: '', path: [], bytes: 5, losses: [] } as const;
  await journal.done({ ...done, id: 'a', outcome: 'restored', targetId: 'x' });
  await journal.done({ ...done, id: '","outcome":"replaced"', outcome: 'skipped', reason: 'unchanged' });
  await journal.close();
  const counts = { begun: 2, restored: 1, replaced: 0, skipped: 1 };
  const begunAt = expect.any(Date);
  expect(await restoreJournals.list({ object: 'mailbox/ada' })).toEqual([
    { restore: 'first', begunAt, about, ...counts },
  ]);
  expect((await restoreJournals.list()).map(({ restore }) => restore)).toEqual(
    expect.arrayContaining(['first', 'second']),
  );
  const repository = await catalog.repository('journals');
  const claim = await repository.claimTarget(about.to, about.toName);
  await expect(restoreJournals.discard('first')).rejects.toMatchObject({ code: 'locked' });
  claim.end();
  expect(await restoreJournals.discard('first')).toBe(true);
  expect(await restoreJournals.discard('first')).toBe(false);
  expect(await restoreJournals.list({ object: 'mailbox/ada' })).toEqual([]);
});

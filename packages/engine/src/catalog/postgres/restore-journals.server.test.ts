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
  return catalog.restoreJournals('suite');
});

test('unfinished restores are listed with object, instant and counts, and discarded while none is under way', async () => {
  const catalog = await openCatalog(database.url);
  opened.push(catalog);
  const restoreJournals = catalog.restoreJournals('journals');
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

test('those of one repository are neither found, listed nor discarded by a worker of another', async () => {
  const catalog = await openCatalog(database.url);
  opened.push(catalog);
  const [own, other] = [catalog.restoreJournals('own'), catalog.restoreJournals('ow')];
  const about = { object: 'mailbox/eve', objectName: 'Eve', to: 'mailbox organization eve', toName: 'Eve' };
  await (await openRestoreJournal(own, 'first', () => undefined, about)).close();
  // Killed before its first line was written: nothing says what it is of.
  await (await own.open('second')).close();
  for (const restore of ['first', 'second', 'n/first', '%']) {
    expect(await other.has(restore)).toBe(false);
    expect(await other.discard(restore)).toBe(false);
  }
  expect(await other.list()).toEqual([]);
  expect((await own.list()).map(({ restore, about: of }) => [restore, of])).toEqual([
    ['first', about],
    ['second', null],
  ]);
  await (await openRestoreJournal(other, 'first', () => undefined, { ...about, object: 'mailbox/bob' })).close();
  expect(await other.list({ object: 'mailbox/eve' })).toEqual([]);
  expect(await own.discard('first')).toBe(true);
  expect(await own.discard('second')).toBe(true);
  expect((await other.list()).map(({ about: of }) => of?.object)).toEqual(['mailbox/bob']);
  expect(await other.discard('first')).toBe(true);
});

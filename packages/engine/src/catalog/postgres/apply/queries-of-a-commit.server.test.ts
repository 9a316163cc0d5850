import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { RepositoryCatalog } from '../../../catalog/catalog.ts';
import { buildCommit, buildItem, buildSection, put, remove } from '../../../suites/catalog-builders.ts';
import { openTestCatalog, type TestCatalog } from '../../../testing/test-catalog.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/test-database.ts';

let database: TestDatabase;
let catalogs: TestCatalog;
beforeAll(async () => {
  database = await createTestDatabase();
  catalogs = await openTestCatalog(database.url);
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await catalogs.close();
  await database.drop();
});

const NAMES = Array.from({ length: 100 }, (_, at) => `mailbox ${at}`);

/** A first night and a second one, of each mailbox two messages, of which one is replaced and one removed. */
async function queriesOfNights(catalog: RepositoryCatalog, names: readonly string[]): Promise<[number, number]> {
  const asked = vi.spyOn(pg.Client.prototype, 'query');
  const sections = (revision: number, ...changes: Parameters<typeof buildSection>[1]) =>
    names.map((key) => buildSection(revision, changes, { key, name: key }));
  await catalog.apply(buildCommit('r', 1, { sections: sections(1, put(buildItem('a')), put(buildItem('b'))) }));
  const first = asked.mock.calls.length;
  const again = sections(2, put(buildItem('a', { name: 'Another subject' })), remove('b'));
  await catalog.apply(buildCommit('r', 2, { sections: again }));
  return [first, asked.mock.calls.length - first];
}

test('a commit of a hundred mailboxes takes as many queries as that of one', async () => {
  const one = await queriesOfNights(await catalogs.repository('one'), NAMES.slice(0, 1));
  vi.restoreAllMocks();
  const all = await queriesOfNights(await catalogs.repository('all'), NAMES);
  expect(one[0]).toBeGreaterThan(5);
  expect(all).toEqual(one);
});

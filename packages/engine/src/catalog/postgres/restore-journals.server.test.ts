import { afterAll, beforeAll } from 'vitest';
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

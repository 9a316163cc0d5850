import { catalogSuite } from '../../suites/catalog.suite.ts';
import { openTestCatalog } from '../../testing/test-catalog.ts';
import { createTestDatabase } from '../../testing/test-database.ts';

catalogSuite('PostgreSQL', async () => {
  const database = await createTestDatabase();
  const catalog = await openTestCatalog(database.url);
  return {
    catalog,
    async close() {
      await catalog.close();
      await database.drop();
    },
  };
});

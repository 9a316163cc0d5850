import { catalogSuite } from '../../suites/catalog.suite.ts';
import { createTestDatabase } from '../../testing/test-database.ts';
import { openCatalog } from './open-catalog.ts';

catalogSuite('PostgreSQL', async () => {
  const database = await createTestDatabase();
  const catalog = await openCatalog(database.url);
  return {
    catalog,
    async close() {
      await catalog.close();
      await database.drop();
    },
  };
});

import { afterAll } from 'vitest';
import { openCatalog } from '../../catalog/postgres/open-catalog.ts';
import { createTestDatabase } from '../test-database.ts';
import { startConnected } from './graph-tenant.ts';

/** A tenant, a connection to it, and a catalog in a database of its own, for the tests of a file. */
export async function connectedCatalog() {
  const database = await createTestDatabase();
  const { tenant, connection } = await startConnected({ budgets: false });
  const catalog = await openCatalog(database.url);
  afterAll(async () => {
    await catalog.close();
    await tenant.stop();
    await database.drop();
  });
  return { database, tenant, connection, catalog };
}

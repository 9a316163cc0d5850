import { createDatabase } from '@keepwatch/embedded-database/testing/test-cluster';
import { inject } from 'vitest';
import { openPool, type Pool } from '../foundation/database.ts';
import { TEMPLATE } from './global-setup.ts';

export interface TestDatabase {
  url: string;
  pool: Pool;
  drop(): Promise<void>;
}

/** A database of its own for one test file: a clone of the migrated template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const { url, drop } = await createDatabase(inject('clusterUrl'), { template: TEMPLATE });
  const pool = openPool(url, { connectionsMax: 5, statementTimeoutMs: 20_000, name: 'test' });
  return {
    url,
    pool,
    async drop() {
      // Connections may still be closing when the database is dropped.
      pool.on('error', () => {});
      await pool.end();
      await drop();
    },
  };
}

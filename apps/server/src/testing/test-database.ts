import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { openPool, type Pool } from '../foundation/database.ts';
import { TEMPLATE, withDatabase } from './global-setup.ts';

export interface TestDatabase {
  url: string;
  pool: Pool;
  drop(): Promise<void>;
}

/** A database of its own for one test file: a clone of the migrated template. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const cluster = inject('clusterUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onCluster(cluster, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
  const url = withDatabase(cluster, name);
  const pool = openPool(url, { connectionsMax: 5, statementTimeoutMs: 20_000, name: 'test' });
  return {
    url,
    pool,
    async drop() {
      // Connections may still be closing when the database is taken from under them.
      pool.on('error', () => {});
      await pool.end();
      await onCluster(cluster, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

async function onCluster(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

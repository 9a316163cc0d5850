import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** An empty database of its own. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const cluster = inject('engineClusterUrl');
  const name = `test_${randomBytes(6).toString('hex')}`;
  await onCluster(cluster, `CREATE DATABASE ${name}`);
  const url = new URL(cluster);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => onCluster(cluster, `DROP DATABASE ${name} WITH (FORCE)`) };
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

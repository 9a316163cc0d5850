import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../testing/test-database.ts';
import { execute, openPool, type Pool, row, transaction } from './database.ts';

async function openTestPool(): Promise<Pool> {
  const database = await createTestDatabase();
  const pool = openPool(database.url, { connectionsMax: 2, statementTimeoutMs: 0, name: 'test' });
  onTestFinished(async () => {
    await pool.end();
    await database.drop();
  });
  return pool;
}

test.each(['between two queries', 'during a query'])(
  'a connection that is lost %s of a transaction fails the transaction, and ends no process',
  async (when) => {
    const pool = await openTestPool();
    const lost = transaction(pool, async (connection) => {
      const session = await row<{ pid: number }>(connection, sql`select pg_backend_pid() as pid`);
      const ended = new Promise((resolve) => connection.once('end', resolve));
      const asking = when === 'during a query' ? execute(connection, sql`select pg_sleep(60)`) : null;
      await execute(pool, sql`select pg_terminate_backend(${session?.pid})`);
      await ended;
      await row(connection, sql`select 1`);
    });
    await expect(lost).rejects.toThrow(/not queryable|terminat/);
    expect(await row(pool, sql`select 1 as one`)).toEqual({ one: 1 });
  },
);

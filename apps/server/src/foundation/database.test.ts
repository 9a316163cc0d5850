import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../testing/test-database.ts';
import { type Connection, execute, openPool, type Pool, row, transaction } from './database.ts';

async function openTestPool(): Promise<Pool> {
  const database = await createTestDatabase();
  const pool = openPool(database.url, { connectionsMax: 2, statementTimeoutMs: 0, name: 'test' });
  onTestFinished(async () => {
    await pool.end();
    await database.drop();
  });
  return pool;
}

/** Loses the connection that is given `work`, while it works or before. */
async function loseWhile(pool: Pool, work: (connection: Connection, ended: Promise<unknown>) => Promise<unknown>) {
  const lost = transaction(pool, async (connection) => {
    const session = await row<{ pid: number }>(connection, sql`select pg_backend_pid() as pid`);
    const ended = new Promise((resolve) => connection.once('end', resolve));
    await Promise.all([work(connection, ended), execute(pool, sql`select pg_terminate_backend(${session?.pid})`)]);
  });
  await expect(lost).rejects.toThrow(/not queryable|terminat/);
  expect(await row(pool, sql`select 1 as one`)).toEqual({ one: 1 });
}

test('a connection that is lost between two queries of a transaction fails the transaction, and ends no process', async () => {
  await loseWhile(await openTestPool(), async (connection, ended) => {
    await ended;
    await row(connection, sql`select 1`);
  });
});

test('a connection that is lost during a query of a transaction does the same', async () => {
  await loseWhile(await openTestPool(), (connection) => execute(connection, sql`select pg_sleep(60)`));
});

import { sql } from 'drizzle-orm';
import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../testing/test-database.ts';
import { type Connection, execute, openPool, type Pool, repeatedRows, row, transaction } from './database.ts';

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

test('a statement that is repeated is soon planned for all values, once by a connection', async () => {
  const pool = await openTestPool();
  await transaction(pool, async (connection) => {
    for (let value = 0; value < 20; value += 1)
      expect(await repeatedRows(connection, sql`select ${value}::int as value`)).toEqual([{ value }]);
    expect(await repeatedRows(connection, sql`select ${'other'}::text as value`)).toEqual([{ value: 'other' }]);
    const plans = sql`select generic_plans as generic, custom_plans as custom from pg_prepared_statements where statement like '%int as value'`;
    // PostgreSQL plans the first five for their values, to compare.
    expect(await row(connection, plans)).toEqual({ generic: 15, custom: 5 });
  });
});

test('a transaction begins with what it is to begin with', async () => {
  const pool = await openTestPool();
  const held = sql`select count(*) as count from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`;
  const work = (connection: Connection) => row(connection, held);
  expect(await transaction(pool, work, 'select pg_advisory_xact_lock(1, 2)')).toEqual({ count: 1 });
  expect(await transaction(pool, work)).toEqual({ count: 0 });
});

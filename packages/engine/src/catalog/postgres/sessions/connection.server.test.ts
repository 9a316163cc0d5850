import { expect, onTestFinished, test } from 'vitest';
import { createTestDatabase } from '../../../testing/test-database.ts';
import { openPool, row, transaction } from './connection.ts';

test('a connection that is lost between two queries of a transaction fails the transaction, and ends no process', async () => {
  const database = await createTestDatabase();
  const pool = openPool({ connectionString: database.url });
  onTestFinished(async () => {
    await pool.end();
    await database.drop();
  });
  const lost = transaction(pool, async (connection) => {
    const session = await row<{ pid: number }>(connection, 'SELECT pg_backend_pid() AS pid');
    const isLost = new Promise((resolve) => connection.once('end', resolve));
    await pool.query('SELECT pg_terminate_backend($1)', [session?.pid]);
    await isLost;
    await row(connection, 'SELECT 1');
  });
  await expect(lost).rejects.toThrow(/not queryable|terminat/);
  expect(await row(pool, 'SELECT 1 AS one')).toEqual({ one: 1 });
});

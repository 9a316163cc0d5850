import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { openCursor } from './cursor.ts';
import { rows } from './database.ts';
import { reasonOf } from './errors.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('a cursor', () => {
  const options = { batch: 2, idleMs: 10_000 };

  it('gives batch after batch and its connection back', async () => {
    const cursor = await openCursor(database.pool, sql`select n from generate_series(1, ${3}::int) n`, options);
    expect(await cursor.fetch()).toEqual([{ n: 1 }, { n: 2 }]);
    expect(await cursor.fetch()).toEqual([{ n: 3 }]);
    await cursor.close();
    expect(database.pool.idleCount).toBe(database.pool.totalCount);
  });

  it('stops a query that is still running when it is closed', async () => {
    const cursor = await openCursor(database.pool, sql`select pg_sleep(60)`, options);
    const outcome = cursor.fetch().catch(reasonOf);
    await expect.poll(async () => (await rows(database.pool, SLEEPING)).length).toBe(1);
    await cursor.close();
    expect(await outcome).toContain('canceling statement');
    expect(await rows(database.pool, SLEEPING)).toEqual([]);
  });

  it('fails to open for a query that is wrong, and keeps no connection', async () => {
    await expect(openCursor(database.pool, sql`select * from nowhere`, options)).rejects.toThrow('nowhere');
    expect(database.pool.idleCount).toBe(database.pool.totalCount);
  });

  it('fails, and does no harm, after the database has ended its idle connection', async () => {
    const cursor = await openCursor(database.pool, sql`select n from generate_series(1, 9) n`, {
      batch: 2,
      idleMs: 50,
    });
    await expect
      .poll(() =>
        rows(
          database.pool,
          sql`select pid from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`,
        ),
      )
      .toEqual([]);
    await expect(cursor.fetch()).rejects.toThrow();
    await cursor.close();
    expect(await rows(database.pool, sql`select 1 as one`)).toEqual([{ one: 1 }]);
  });
});

const SLEEPING = sql`select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;

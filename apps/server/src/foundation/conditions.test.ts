import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { containing, every, orderOf } from './conditions.ts';
import { rows } from './database.ts';
import { readPage } from './page.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const NUMBERS = sql`(select nullif(n, 3) as n from generate_series(1, 5) n) t`;

describe('a query in parts', () => {
  it('finds a text as it was typed: wildcards and escapes are letters', async () => {
    for (const text of ['100%', 'a_b', 'C:\\data', "it's", '\\%_']) {
      const found = await rows(
        database.pool,
        sql`select ${`x ${text} y`} like ${containing(text)} as same,
        ${`x ${text.replace(/[%_\\]/, '~')} y`} like ${containing(text)} and ${/[%_\\]/.test(text)} as other`,
      );
      expect([text, found]).toEqual([text, [{ same: true, other: false }]]);
    }
  });

  it('wants all of several conditions', async () => {
    const found = await rows(
      database.pool,
      sql`select n from ${NUMBERS} where ${every([sql`n > 1`, sql`n < 5`])} order by n`,
    );
    expect(found).toEqual([{ n: 2 }, { n: 4 }]);
  });

  it('sorts in both directions, unknown values last, and refuses what is no column', async () => {
    const sorted = async (sort: 'n' | '-n') => {
      const found = await rows<{ n: number | null }>(
        database.pool,
        sql`select n from ${NUMBERS} order by ${orderOf({ n: sql`n` }, sort)}`,
      );
      return found.map(({ n }) => n);
    };
    expect(await sorted('n')).toEqual([1, 2, 4, 5, null]);
    expect(await sorted('-n')).toEqual([5, 4, 2, 1, null]);
    // @ts-expect-error The compiler refuses it as well.
    expect(() => orderOf({ n: sql`n` }, 'm')).toThrow('"m"');
  });

  it('reads a page with the count of all', async () => {
    const page = await readPage(
      database.pool,
      sql`select n from ${NUMBERS} order by n limit 2`,
      sql`select count(*) as count from ${NUMBERS}`,
    );
    expect(page).toEqual({ count: 5, data: [{ n: 1 }, { n: 2 }] });
  });
});

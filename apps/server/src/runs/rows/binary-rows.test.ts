import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import fc from 'fast-check';
import { from as copyFrom } from 'pg-copy-streams';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { transaction } from '../../foundation/database.ts';
import { startTestPortal, type TestPortal } from '../../testing/test-portal.ts';
import { BinaryRows } from './binary-rows.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

/** Copies the rows into a table and returns them as JSON. */
function stored(columns: string, rows: BinaryRows): Promise<unknown[]> {
  return transaction(portal.database, async (connection) => {
    await connection.query(`create temporary table copied (nr serial, ${columns}) on commit drop`);
    const names = columns.split(', ').map((column) => column.split(' ')[0]);
    const target = connection.query(copyFrom(`copy copied (${names}) from stdin with (format binary)`));
    await pipeline(Readable.from([rows.finish()]), target);
    const found = await connection.query(`select to_jsonb(copied) - 'nr' as row from copied order by nr`);
    return found.rows.map(({ row }) => row);
  });
}

it('writes every value of every type unchanged', async () => {
  const rows = new BinaryRows();
  rows.begin(8).smallint(-7).int(2_147_483_647).bigint(Number.MAX_SAFE_INTEGER).boolean(true);
  rows.instant(Date.parse('2026-02-28T12:34:56.789Z')).uuid('018f5b2e-0000-8abc-9def-0123456789ab');
  rows.texts(['one', 'größe, "two"', '']).json({ by: 'Zoë', lines: [1, null] });
  rows.begin(8).smallint(0).int(-1).bigint(Number.MIN_SAFE_INTEGER).boolean(false);
  rows.instant(Date.parse('1969-12-31T23:59:59.999Z')).uuid(null).texts([]).json(null);
  const read = await stored(
    'small smallint, whole int, large bigint, sure boolean, at timestamptz, id uuid, words text[], note jsonb',
    rows,
  );
  expect(read).toEqual([
    {
      small: -7,
      whole: 2_147_483_647,
      large: Number.MAX_SAFE_INTEGER,
      sure: true,
      at: '2026-02-28T12:34:56.789+00:00',
      id: '018f5b2e-0000-8abc-9def-0123456789ab',
      words: ['one', 'größe, "two"', ''],
      note: { by: 'Zoë', lines: [1, null] },
    },
    {
      small: 0,
      whole: -1,
      large: Number.MIN_SAFE_INTEGER,
      sure: false,
      at: '1969-12-31T23:59:59.999+00:00',
      id: null,
      words: [],
      note: null,
    },
  ]);
});

it('writes every text unchanged and in order, however long', async () => {
  const printable = fc.string({ unit: 'binary', maxLength: 60 }).filter((text) => !/[\0\ud800-\udfff]/.test(text));
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(printable), { maxLength: 40 }), async (texts) => {
      const all = [...texts, 'é'.repeat(50_000), 'last'];
      const rows = new BinaryRows();
      for (const text of all) rows.begin(1).text(text);
      expect(rows.count).toBe(all.length);
      expect(await stored('word text', rows)).toEqual(all.map((word) => ({ word })));
    }),
    { numRuns: 30 },
  );
});

it('clamps numbers to the range of a bigint', async () => {
  const rows = new BinaryRows()
    .begin(2)
    .bigint(2 ** 63)
    .bigint(Number.NEGATIVE_INFINITY);
  expect(await stored('most bigint, least bigint', rows)).toHaveLength(1);
});

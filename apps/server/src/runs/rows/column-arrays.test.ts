import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { rows, textOf } from '../../foundation/database.ts';
import { startTestPortal, type TestPortal } from '../../testing/test-portal.ts';
import { instantText, numberArray, plainArray, uuidArray } from './column-arrays.ts';

let portal: TestPortal;
beforeAll(async () => {
  portal = await startTestPortal();
});
afterAll(() => portal.stop());

it('prints every instant as toISOString does', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date('1950-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }), (date) => {
      expect(instantText(date.getTime())).toBe(date.toISOString());
    }),
    { numRuns: 2_000 },
  );
  expect(instantText(null)).toBeNull();
});

it('passes a column as one parameter', () => {
  const results = plainArray(['Success', null, 'Failed'], 'execution_result');
  expect(textOf(results)).toEqual({ text: '$1::execution_result[]', values: ['{Success,NULL,Failed}'] });
  expect(textOf(plainArray([], 'timestamptz')).values).toEqual(['{}']);
});

it('passes every UUID unchanged, and nulls', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.option(fc.uuid())), async (ids) => {
      expect(await rows(portal.database, sql`select to_json(${uuidArray(ids)}) as ids`)).toEqual([{ ids }]);
    }),
    { numRuns: 50 },
  );
});

it('clamps sums beyond a bigint to its range', async () => {
  const [read] = await rows<{ all: string[] }>(
    portal.database,
    sql`select ${numberArray([2 ** 63, -(2 ** 63), Number.POSITIVE_INFINITY], 'bigint')}::text[] as all`,
  );
  expect(read?.all).toEqual(['9223372036854774784', '-9223372036854774784', '9223372036854774784']);
});

it('passes every number, day and instant exactly, and nulls', async () => {
  const ints = [0, 1, -1, 2_147_483_647, -2_147_483_648, null];
  const bigints = [
    0,
    1,
    -1,
    2 ** 32 - 1,
    2 ** 32,
    -(2 ** 32) - 1,
    Number.MAX_SAFE_INTEGER,
    Number.MIN_SAFE_INTEGER,
    null,
  ];
  const instants = ['1969-12-31T23:59:59.999Z', '2000-01-01T00:00:00.000Z', '2026-02-28T12:34:56.789Z'];
  const [read] = await rows(
    portal.database,
    sql`select to_json(${numberArray(ints, 'int')}) as ints, to_json(${numberArray(bigints, 'bigint')}) as bigints,
          (select array_agg(at order by nr) from unnest(${numberArray(instants.map(Date.parse), 'timestamptz')}) with ordinality as k (at, nr))::text[] as instants,
          ${numberArray([-1, 0, 20_000], 'date')}::text[] as days, cardinality(${numberArray([], 'int')}) as empty`,
  );
  expect(read).toEqual({
    ints,
    bigints,
    instants: ['1969-12-31 23:59:59.999+00', '2000-01-01 00:00:00+00', '2026-02-28 12:34:56.789+00'],
    days: ['1969-12-31', '1970-01-01', '2024-10-04'],
    empty: 0,
  });
});

import { globSync } from 'node:fs';
import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { type PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { expect, it } from 'vitest';
import { SEALED_COLUMNS } from './sealed-columns.ts';

const SERVER = `${import.meta.dirname}/../..`;

/** Columns of bytes in which nothing is sealed with the key of the stored secrets, or what says which key that is. */
const NOT_SEALED = [
  'brand_images.content',
  'jobs.baseline',
  'mark_key.key',
  'passkeys.public_key',
  'secret_check.next_sealed',
  'secret_check.sealed',
];
const HASH = /_hash$/;

it('names every column in which something is sealed: a rotation would lose what is in another one', async () => {
  const files = await Promise.all(globSync('*/tables.ts', { cwd: SERVER }).map((file) => import(`${SERVER}/${file}`)));
  const tables = files.flatMap((file) => Object.values(file)).filter((value) => is(value, PgTable));
  const columns = tables.flatMap((table) =>
    Object.values<PgColumn>(getTableColumns(table))
      .filter((column) => column.getSQLType() === 'bytea' && !HASH.test(column.name))
      .map((column) => `${getTableName(table)}.${column.name}`),
  );
  expect(columns.toSorted()).toEqual([...NOT_SEALED, ...SEALED_COLUMNS.map(({ name }) => name)].toSorted());
});

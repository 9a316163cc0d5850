import { globSync } from 'node:fs';
import { getTableColumns, getTableName, is, sql } from 'drizzle-orm';
import { isPgEnum, type PgColumn, type PgEnum, PgTable } from 'drizzle-orm/pg-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Pool, rows } from '../foundation/database.ts';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

const SOURCE = `${import.meta.dirname}/..`;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

async function declaredIn(pattern: string): Promise<unknown[]> {
  const files = await Promise.all(globSync(pattern, { cwd: SOURCE }).map((file) => import(`${SOURCE}/${file}`)));
  return files.flatMap((file) => Object.values(file));
}

/** What a column is, as one line: `name type not null default`. */
function lineOf(
  name: string,
  type: string,
  is: { required: boolean; generated: boolean; hasDefault: boolean },
): string {
  const value = is.generated ? ' generated' : is.hasDefault ? ' default' : '';
  return `${name} ${type}${is.required ? ' not null' : ''}${value}`;
}

function declaredLine(column: PgColumn): string {
  const generated = column.generated !== undefined || column.generatedIdentity !== undefined;
  return lineOf(column.name, column.getSQLType(), {
    required: column.notNull,
    generated,
    hasDefault: column.hasDefault,
  });
}

/** The columns of each table of the migrated database; a partition has those of its table. */
async function migratedTables(pool: Pool): Promise<Record<string, string[]>> {
  const columns = await rows<{
    table: string;
    name: string;
    type: string;
    required: boolean;
    generated: boolean;
    hasDefault: boolean;
  }>(
    pool,
    sql`select c.relname as table, a.attname as name, format_type(a.atttypid, null) as type, a.attnotnull as required,
          a.attgenerated <> '' or a.attidentity <> '' as generated, a.atthasdef as "hasDefault"
        from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`,
  );
  const tables = Map.groupBy(columns, ({ table }) => table);
  return Object.fromEntries(
    [...tables].map(([table, own]) => [
      table,
      own.map((column) => lineOf(column.name, column.type, column)).toSorted(),
    ]),
  );
}

it('declares each table and column of the migrated database, with its type, whether it may be null and whether it has a default', async () => {
  const tables = (await declaredIn('*/tables.ts')).filter((value) => is(value, PgTable));
  const declared = tables.map((table) => {
    const lines = Object.values<PgColumn>(getTableColumns(table)).map(declaredLine);
    return [getTableName(table), lines.toSorted()];
  });
  expect(
    Object.fromEntries(declared),
    'Declarations and migrations differ: a column or table that a migration adds is declared in tables.ts of the capability ' +
      'that owns it, and one that it drops is removed there (docs/how-to/add-a-migration.md).',
  ).toEqual(await migratedTables(database.pool));
  expect(new Set(tables.map(getTableName)).size).toBe(tables.length);
});

it('declares the closed sets of values as the migrated database has them', async () => {
  const enums = (await declaredIn('*/enums.ts')).filter((value): value is PgEnum<[string, ...string[]]> =>
    isPgEnum(value),
  );
  const migrated = await rows<{ name: string; values: string[] }>(
    database.pool,
    sql`select t.typname as name, array_agg(e.enumlabel::text order by e.enumlabel::text collate "C") as values
        from pg_type t join pg_enum e on e.enumtypid = t.oid where t.typnamespace = 'public'::regnamespace group by 1 order by 1`,
  );
  const declared = enums.map(({ enumName, enumValues }) => ({ name: enumName, values: enumValues.toSorted() }));
  expect(declared.toSorted((one, other) => (one.name < other.name ? -1 : 1))).toEqual(migrated);
});

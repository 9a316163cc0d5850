import { readdirSync } from 'node:fs';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ITEM_KINDS } from '../../model/items.ts';
import { createEmptyDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { openCatalog } from './open-catalog.ts';

const SCHEMA = readdirSync(new URL('./migrations/', import.meta.url)).length;
let database: TestDatabase;
beforeAll(async () => {
  database = await createEmptyDatabase();
});
afterAll(() => database.drop());

async function run(statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

it('two programs that open an empty database at once make one schema', async () => {
  const catalogs = await Promise.all([
    openCatalog(database.url),
    openCatalog({ connectionString: database.url, max: 2 }),
  ]);
  for (const catalog of catalogs) await catalog.close();
  expect(await run('SELECT version FROM engine.schema_versions')).toEqual(
    Array.from({ length: SCHEMA }, (_, at) => ({ version: at + 1 })),
  );
});

it('everything is in a schema of its own', async () => {
  const others = await run("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace");
  expect(others).toEqual([]);
});

it('the database knows every kind of item, and no other', async () => {
  const [known] = await run('SELECT enum_range(NULL::engine.item_kind)::text[] AS kinds');
  expect(known?.['kinds']).toEqual(ITEM_KINDS);
});

it('a schema that a later version made is refused with a sentence, and not touched', async () => {
  await run('INSERT INTO engine.schema_versions (version) VALUES (99)');
  await expect(openCatalog(database.url)).rejects.toMatchObject({
    code: 'newer-repository',
    message: expect.stringContaining(`schema 99; this version of Keepwatch knows ${SCHEMA}. Use a newer version.`),
  });
  await run('DELETE FROM engine.schema_versions WHERE version = 99');
  await (await openCatalog(database.url)).close();
});

import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditEntries } from '../audit/tables.ts';
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { rows } from './database.ts';
import { newId } from './secrets.ts';
import { type Changes, insert, remove, update } from './table-writes.ts';

const AT = new Date('2026-03-01T08:00:00Z');
const [ONE, OTHER] = [newId(), newId()];

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

beforeEach(async () => {
  await remove(database.pool, auditEntries, sql`true`);
  for (const id of [ONE, OTHER]) await insertEntry({ id });
});

function insertEntry(values: Changes<typeof auditEntries>, onConflict?: ReturnType<typeof sql>): Promise<number> {
  const entry = { providerId: 1, id: ONE, at: AT, action: 'company.create', ...values };
  return insert(database.pool, auditEntries, entry, onConflict);
}

function actions(): Promise<unknown[]> {
  return rows(database.pool, sql`select id, action, username from audit_entries order by id = ${OTHER}`);
}

describe('a row', () => {
  it('is inserted with the values of its columns as the pool reads them, and null or the default for the others', async () => {
    const id = newId();
    await insertEntry({
      id,
      at: sql`${AT}::timestamptz + interval '1 hour'`,
      before: [{ name: "O'Hara" }],
      after: 'text',
    });
    const [entry] = await rows(
      database.pool,
      sql`select at, before, after, username from audit_entries where id = ${id}`,
    );
    expect(entry).toEqual({
      at: '2026-03-01T09:00:00.000Z',
      before: [{ name: "O'Hara" }],
      after: 'text',
      username: null,
    });
  });

  it('is refused where its key exists, unless the statement says what happens then', async () => {
    await expect(insertEntry({})).rejects.toThrow(/duplicate key/);
    expect(await insertEntry({}, sql`on conflict do nothing`)).toBe(0);
  });

  it('is changed where all values of the condition agree; undefined values stay as they are', async () => {
    const which = { providerId: 1, id: ONE };
    expect(await update(database.pool, auditEntries, { username: 'ada', action: undefined }, which)).toBe(1);
    expect(await update(database.pool, auditEntries, { username: 'eve' }, { ...which, action: 'other' })).toBe(0);
    expect(await update(database.pool, auditEntries, {}, which)).toBe(1);
    expect(await actions()).toEqual([
      { id: ONE, action: 'company.create', username: 'ada' },
      { id: OTHER, action: 'company.create', username: null },
    ]);
  });

  it('is removed with those that meet the condition alone', async () => {
    expect(await remove(database.pool, auditEntries, sql`${auditEntries.at} < ${AT}`)).toBe(0);
    expect(await remove(database.pool, auditEntries, { id: OTHER })).toBe(1);
    expect(await actions()).toHaveLength(1);
  });

  it('is never one of all rows, because a value of the condition is missing', async () => {
    expect(() => remove(database.pool, auditEntries, { providerId: 1, id: undefined })).toThrow('without a value');
    expect(() => update(database.pool, auditEntries, { action: 'x' }, {})).toThrow('without a value');
    expect(await actions()).toHaveLength(2);
  });

  it('with a misspelt column, a wrong type or without a required value does not compile', () => {
    const entry = { providerId: 1, id: ONE, at: AT, action: 'x' };
    const uncompiled = [
      // @ts-expect-error There is no such column.
      () => insert(database.pool, auditEntries, { ...entry, targetKnd: 'company' }),
      // @ts-expect-error An id is a text.
      () => insert(database.pool, auditEntries, { ...entry, userId: 7 }),
      // @ts-expect-error An entry has an action.
      () => insert(database.pool, auditEntries, { providerId: 1, id: ONE, at: AT }),
      // @ts-expect-error An instant is no number.
      () => update(database.pool, auditEntries, { at: 0 }, { id: ONE }),
      // @ts-expect-error There is no such column.
      () => remove(database.pool, auditEntries, { ids: ONE }),
    ];
    expect(uncompiled).toHaveLength(5);
  });
});

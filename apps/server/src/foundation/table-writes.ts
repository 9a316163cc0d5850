import { getTableColumns, is, SQL, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { every } from './conditions.ts';
import { type Connection, execute } from './database.ts';

/** What a column accepts: its type or an expression, and for an instant also a `Date`. */
type Written<Column, Value> = Value | SQL | (Column extends { _: { columnType: 'PgTimestampString' } } ? Date : never);

type ColumnOf<Table extends PgTable, Key> = Key extends keyof Table['_']['columns']
  ? Table['_']['columns'][Key]
  : never;

/** A new row of a table as declared: columns with a default, or that may be null, can be left out. */
export type NewRow<Table extends PgTable> = {
  [Key in keyof Table['$inferInsert']]: Written<ColumnOf<Table, Key>, Table['$inferInsert'][Key]>;
};

/** New values for some columns; those that are `undefined` stay as they are. */
export type Changes<Table extends PgTable> = Partial<NewRow<Table>>;

/** Which rows: those with these values, or those that meet an expression. */
export type Which<Table extends PgTable> =
  | SQL
  | { [Key in keyof Table['$inferInsert']]?: Written<ColumnOf<Table, Key>, NonNullable<Table['$inferInsert'][Key]>> };

/**
 * Inserts a row and gives how many were written, 0 or 1. A row whose key exists is an error, unless `onConflict` says what
 * happens then: `on conflict do nothing`, `on conflict (…) do update set …`.
 */
export function insert<Table extends PgTable>(
  connection: Connection,
  table: Table,
  row: NewRow<Table>,
  onConflict?: SQL,
): Promise<number> {
  const values = valuesOf(table, row);
  const names = list(values.map(({ name }) => name));
  return execute(
    connection,
    sql`insert into ${table} (${names}) values (${list(values.map(({ value }) => value))}) ${onConflict}`,
  );
}

/** Changes rows and gives how many there are, also where no value is given and nothing is written. */
export function update<Table extends PgTable>(
  connection: Connection,
  table: Table,
  changes: Changes<Table>,
  which: Which<Table>,
): Promise<number> {
  const assignments = valuesOf(table, changes).map(({ name, value }) => sql`${name} = ${value}`);
  const condition = conditionOf(table, which);
  if (assignments.length === 0) return execute(connection, sql`select from ${table} where ${condition}`);
  return execute(connection, sql`update ${table} set ${list(assignments)} where ${condition}`);
}

/** Removes rows and gives how many there were. */
export function remove<Table extends PgTable>(
  connection: Connection,
  table: Table,
  which: Which<Table>,
): Promise<number> {
  return execute(connection, sql`delete from ${table} where ${conditionOf(table, which)}`);
}

interface ColumnValue {
  name: SQL;
  value: SQL;
}

function valuesOf(table: PgTable, values: object): ColumnValue[] {
  const columns = getTableColumns(table);
  return Object.entries(values).flatMap(([key, value]) => {
    const column = columns[key];
    if (column === undefined || value === undefined) return [];
    const bound = is(value, SQL) ? value : sql`${sql.param(value, column)}`;
    return [{ name: sql`${sql.identifier(column.name)}`, value: bound }];
  });
}

/** Throws for a value that is missing: without its condition the statement would change other rows, too. */
function conditionOf(table: PgTable, which: SQL | object): SQL {
  if (is(which, SQL)) return which;
  const conditions = valuesOf(table, which).map(({ name, value }) => sql`${name} = ${value}`);
  if (conditions.length === 0 || conditions.length < Object.keys(which).length)
    throw new Error('A condition on a table has a column without a value.');
  return every(conditions);
}

function list(parts: readonly SQL[]): SQL {
  return sql.join([...parts], sql`, `);
}

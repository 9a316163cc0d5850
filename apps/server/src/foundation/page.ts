import type { SQL } from 'drizzle-orm';
import { type Connection, row, rows } from './database.ts';

/** A page of a list: its rows, and how many there are in all. */
export interface Page<Row> {
  count: number;
  data: Row[];
}

/** Reads a page and its count at the same time. `countQuery` selects one number named `count`. */
export async function readPage<Row>(connection: Connection, query: SQL, countQuery: SQL): Promise<Page<Row>> {
  const [data, count] = await Promise.all([rows<Row>(connection, query), readCount(connection, countQuery)]);
  return { count, data };
}

/** The number that a query named `count` selects. */
export async function readCount(connection: Connection, query: SQL): Promise<number> {
  return (await row<{ count: number }>(connection, query))?.count ?? 0;
}

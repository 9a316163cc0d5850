import { type SQL, sql } from 'drizzle-orm';

/** All of several conditions. */
export function every(conditions: readonly SQL[]): SQL {
  return sql.join([...conditions], sql` and `);
}

/** Returns a LIKE pattern that finds a text; wildcards in the text are escaped. */
export function containing(text: string): string {
  return `%${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
}

/** The order that a sort asks for: the column of `field` ascending, of `-field` descending, unknown values last. */
export function orderOf<F extends string>(columns: Readonly<Record<F, SQL>>, sort: F | `-${F}`): SQL {
  const column = new Map(Object.entries<SQL>(columns)).get(sort.replace(/^-/, ''));
  if (column === undefined) throw new Error(`There is no column to sort by "${sort}".`);
  return sort.startsWith('-') ? sql`${column} desc nulls last` : sql`${column} asc nulls last`;
}

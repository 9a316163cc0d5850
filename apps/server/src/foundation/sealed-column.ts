import { getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm';
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core';
import { type Connection, execute, row, rows } from './database.ts';
import { type KeyIds, PREFIX_BYTES, prefixOf, type SecretBox, WITHOUT_ID } from './secrets.ts';

/** Sealed values by the key that opens them. */
export interface SealedCounts {
  all: number;
  /** Not sealed with the key in force yet. */
  previous: number;
  /** Sealed with a key that is neither in force nor the previous one. */
  lost: number;
}

/** A column in which everything is sealed. The capability that seals it declares it, and a rotation of the key goes over it. */
export interface SealedColumn {
  /** `connections.secrets` */
  name: string;
  count(connection: Connection, keys: KeyIds): Promise<SealedCounts>;
  /** Seals some of those of the previous key with the one in force, and gives how many. Needs a transaction; rows that others change now are left out. */
  reseal(connection: Connection, box: SecretBox, limit: number): Promise<number>;
  /** Removes all values, as their key is lost: rows that are nothing without one go with it. */
  forget(connection: Connection): Promise<void>;
}

/** What is stored in a column that is not null for a value that was lost with its key. */
export const FORGOTTEN = Buffer.alloc(0);

/**
 * @param key what its context is made of
 * @param contextOf what binds a value to its row
 * @param staysWithout whether a row stays when its value is lost; by default where the column may be null
 */
export function sealedColumn<Table extends PgTable, Key extends keyof Table['$inferSelect'] & string>(
  table: Table,
  column: keyof Table['$inferSelect'] & string,
  key: readonly Key[],
  contextOf: (row: Pick<Table['$inferSelect'], Key>) => string,
  { staysWithout = !columnOf(table, column).notNull }: { staysWithout?: boolean } = {},
): SealedColumn {
  const value = sql.identifier(nameOf(table, column));
  const selected = key.map((name) => sql`${sql.identifier(nameOf(table, name))} as ${sql.identifier(name)}`);
  return {
    name: `${getTableName(table)}.${nameOf(table, column)}`,
    async count(connection, keys) {
      const counts = await row<SealedCounts>(
        connection,
        sql`select count(*) as all, count(*) filter (where ${isOfPrevious(value, keys)}) as previous,
              count(*) filter (where ${isLost(value, keys)}) as lost
            from ${table} where ${value} <> ${FORGOTTEN}`,
      );
      return counts ?? { all: 0, previous: 0, lost: 0 };
    },
    async reseal(connection, box, limit) {
      const found = await rows<Pick<Table['$inferSelect'], Key> & { place: string; sealed: Buffer }>(
        connection,
        sql`select ctid::text as place, ${value} as sealed, ${sql.join(selected, sql`, `)} from ${table}
            where ${value} is not null and ${isOfPrevious(value, box.keys())} limit ${limit} for update skip locked`,
      );
      for (const one of found) {
        const sealed = box.reseal(one.sealed, contextOf(one));
        // The row is locked, so it stays where it is.
        await execute(connection, sql`update ${table} set ${value} = ${sealed} where ctid = ${one.place}::tid`);
      }
      return found.length;
    },
    async forget(connection) {
      const lost = columnOf(table, column).notNull ? sql`${FORGOTTEN}` : sql`null`;
      const stays = sql`update ${table} set ${value} = ${lost}`;
      const goes = sql`delete from ${table}`;
      await execute(connection, sql`${staysWithout ? stays : goes} where ${value} <> ${FORGOTTEN}`);
    },
  };
}

type Name = ReturnType<typeof sql.identifier>;

const isWithoutId = (value: Name) => sql`substring(${value} from 1 for 1) = ${Buffer.of(WITHOUT_ID)}::bytea`;
const isSealedWith = (value: Name, keyId: string) =>
  sql`substring(${value} from 1 for ${PREFIX_BYTES}) = ${prefixOf(keyId)}::bytea`;

/** One without an id may be of either key, and is sealed again, too. */
function isOfPrevious(value: Name, { previous }: KeyIds): SQL {
  return previous === null ? sql`false` : sql`(${isWithoutId(value)} or ${isSealedWith(value, previous)})`;
}

function isLost(value: Name, { current, previous }: KeyIds): SQL {
  const others = [current, previous].filter((id) => id !== null).map((id) => sql` or ${isSealedWith(value, id)}`);
  return sql`not (${isWithoutId(value)}${sql.join(others)})`;
}

function nameOf(table: PgTable, column: string): string {
  return columnOf(table, column).name;
}

function columnOf(table: PgTable, column: string): PgColumn {
  const found = getTableColumns(table)[column];
  if (found === undefined) throw new Error(`${getTableName(table)} has no column ${column}.`);
  return found;
}

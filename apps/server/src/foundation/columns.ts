import { bigint, customType, date, numeric, timestamp } from 'drizzle-orm/pg-core';

/*
 * Columns of a table declaration (`tables.ts` of each capability) with the types in which the pool gives their values (database.ts).
 */

/** An instant: ISO text in UTC when read; `insert` and `update` accept a `Date` too. */
export function instant(name: string) {
  return timestamp(name, { withTimezone: true, mode: 'string' });
}

/** A day: `YYYY-MM-DD`. */
export function day(name: string) {
  return date(name, { mode: 'string' });
}

/** A 64-bit integer; sizes in bytes stay exact up to 9 PB. */
export function int64(name: string) {
  return bigint(name, { mode: 'number' });
}

/** A number with decimals. */
export function decimal(name: string) {
  return numeric(name, { mode: 'number' });
}

/** Bytes: hashes and sealed texts. */
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

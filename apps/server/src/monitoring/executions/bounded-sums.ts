import { type SQL, sql } from 'drizzle-orm';

/** Most that a bigint holds. */
const STORED_MAX = sql.raw('9223372036854775807');
/** Most that the wire tells exactly: 9 PB. */
const SHOWN_MAX = sql.raw(String(Number.MAX_SAFE_INTEGER));

/**
 * A new sum of bytes for a bigint column, which stops at the column's end: what one run claims must never keep the others of
 * its day from being written. `sum` has to be numeric, so that it can be reckoned at all.
 */
export function storedSum(sum: SQL): SQL {
  return between(sum, STORED_MAX);
}

/** Below this, two numbers add up within a bigint, however floating point rounds their sum. */
const SAFE_MAX = sql.raw('9e18');

/** The same of two columns. Nearly every sum is far from the end, and reckoning with numeric takes four times as long. */
export function storedSumOf(one: SQL, other: SQL): SQL {
  return sql`case when abs(${one}::float8 + ${other}) < ${SAFE_MAX} then ${one} + ${other} else ${storedSum(sql`${one}::numeric + ${other}`)} end`;
}

/** A sum of bytes as it leaves, in bytes; 0 where there is nothing to add up. Stops where numbers are no longer exact. */
export function shownSum(sum: SQL): SQL {
  return sql`${between(sql`coalesce(${sum}, 0)`, SHOWN_MAX)}::bigint`;
}

/**
 * Transferred bytes of day rollups (alias `d`) as they leave, with `isPartial`: whether runs that did their work did not tell theirs, so
 * that the sum is the least there was. `null`: of none more than 0 is known, although there are such runs.
 */
export function transferredOf(where: SQL = sql`true`): { bytes: SQL; isPartial: SQL } {
  const sum = shownSum(sql`sum(d.transferred_bytes) filter (where ${where})`);
  const isPartial = sql`coalesce(sum(d.unmeasured) filter (where ${where}), 0) > 0`;
  return { bytes: sql`case when ${isPartial} then nullif(${sum}, 0) else ${sum} end`, isPartial };
}

function between(sum: SQL, most: SQL): SQL {
  return sql`greatest(least(${sum}, ${most}), -${most})`;
}

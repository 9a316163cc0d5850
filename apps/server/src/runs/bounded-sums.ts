import { type SQL, sql } from 'drizzle-orm';

/** The largest bigint. */
const STORED_MAX = sql.raw('9223372036854775807');
/** The largest number that JSON carries exactly: 9 PB. */
const SHOWN_MAX = sql.raw(String(Number.MAX_SAFE_INTEGER));

/**
 * Limits a sum of bytes to the range of its bigint column: one absurd run must never prevent the others of its day from
 * being written. `sum` has to be numeric, so that it cannot overflow itself.
 */
export function storedSum(sum: SQL): SQL {
  return between(sum, STORED_MAX);
}

/** Below this, two numbers add up within a bigint, however floating point rounds their sum. */
const SAFE_MAX = sql.raw('9e18');

/**
 * Adds two columns with the same limit. Nearly every sum is far below it, and numeric arithmetic takes four times as
 * long.
 */
export function storedSumOf(one: SQL, other: SQL): SQL {
  return sql`case when abs(${one}::float8 + ${other}) < ${SAFE_MAX} then ${one} + ${other} else ${storedSum(sql`${one}::numeric + ${other}`)} end`;
}

/** Returns a sum of bytes as the API shows it: 0 where there is nothing to add up, at most the largest exact number. */
export function shownSum(sum: SQL): SQL {
  return sql`${between(sql`coalesce(${sum}, 0)`, SHOWN_MAX)}::bigint`;
}

/**
 * Returns the transferred bytes of day rollups (alias `d`) as the API shows them. `isPartial`: some runs that did their
 * work did not report their bytes, so that the sum is a minimum. `bytes` is `null` where there are such runs and no
 * more than 0 is known.
 */
export function transferredOf(where: SQL = sql`true`): { bytes: SQL; isPartial: SQL } {
  const sum = shownSum(sql`sum(d.transferred_bytes) filter (where ${where})`);
  const isPartial = sql`coalesce(sum(d.unmeasured) filter (where ${where}), 0) > 0`;
  return { bytes: sql`case when ${isPartial} then nullif(${sum}, 0) else ${sum} end`, isPartial };
}

function between(sum: SQL, most: SQL): SQL {
  return sql`greatest(least(${sum}, ${most}), -${most})`;
}

/** What PostgreSQL counts instants and days from: 2000-01-01. */
export const SINCE_1970 = { ms: 946_684_800_000, days: 10_957 };

const TWO_POWER_32 = 2 ** 32;
/** The largest number below 2^63 that a double can be. */
const BIGINT_MAX = 2 ** 63 - 1_024;

/** A number that is too large for a bigint becomes the largest one. */
export function fitted(number: number): number {
  return Math.min(Math.max(number, -BIGINT_MAX), BIGINT_MAX);
}

/** An instant in milliseconds since 1970 as PostgreSQL holds it; before the year 2285 it is exact. */
export function microsecondsOf(atMs: number): number {
  return (atMs - SINCE_1970.ms) * 1_000;
}

/** Writes a whole number within the ends of a bigint and gives where the next byte goes. */
export function writeBigint(bytes: Buffer, number: number, at: number): number {
  bytes.writeInt32BE(Math.floor(number / TWO_POWER_32), at);
  return bytes.writeUInt32BE(number >>> 0, at + 4);
}

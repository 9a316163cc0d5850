/** Origin of PostgreSQL's instants and days: 2000-01-01. */
export const SINCE_1970 = { ms: 946_684_800_000, days: 10_957 };

const TWO_POWER_32 = 2 ** 32;
/** The largest number below 2^63 that a double can represent. */
const BIGINT_MAX = 2 ** 63 - 1_024;

/** Clamps a number to the range of a bigint. */
export function fitted(number: number): number {
  return Math.min(Math.max(number, -BIGINT_MAX), BIGINT_MAX);
}

/** Converts milliseconds since 1970 to PostgreSQL's microseconds; exact before the year 2285. */
export function microsecondsOf(atMs: number): number {
  return (atMs - SINCE_1970.ms) * 1_000;
}

/** Writes a whole number within the range of a bigint and returns the offset of the next byte. */
export function writeBigint(bytes: Buffer, number: number, at: number): number {
  bytes.writeInt32BE(Math.floor(number / TWO_POWER_32), at);
  return bytes.writeUInt32BE(number >>> 0, at + 4);
}

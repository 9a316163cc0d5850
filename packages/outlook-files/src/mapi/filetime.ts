const EPOCH_TICKS = 116_444_736_000_000_000n;

/** 100-nanosecond ticks since 1601, [MS-DTYP] 2.3.3. Dates before that (and no dates at all) become its first moment. */
export function fileTime(date: Date): bigint {
  const milliseconds = date.getTime();
  if (Number.isNaN(milliseconds)) {
    return 0n;
  }
  const ticks = BigInt(Math.trunc(milliseconds)) * 10_000n + EPOCH_TICKS;
  return ticks < 0n ? 0n : ticks;
}

/** Whole minutes since 1601, as recurrence patterns count them. */
export function minutesSince1601(date: Date): number {
  return Number(fileTime(date) / 600_000_000n);
}

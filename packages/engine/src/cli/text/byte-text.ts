const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB', 'EB'];

/** Decimal units, three digits: `999 B`, `1.23 MB`. */
export function byteText(bytes: number): string {
  let value = bytes;
  let step = 0;
  // 999.5 would be shown as 1000 of its unit.
  while (Math.abs(value) >= (step === 0 ? 1_000 : 999.5) && step < UNITS.length - 1) {
    value /= 1_000;
    step += 1;
  }
  const digits = step === 0 || Math.abs(value) >= 99.95 ? 0 : Math.abs(value) >= 9.995 ? 1 : 2;
  return `${value.toFixed(digits)} ${UNITS[step]}`;
}

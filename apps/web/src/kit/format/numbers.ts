const UNITS = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'];
const whole = new Intl.NumberFormat('en-US');

/** `1,234`. */
export function formatCount(count: number): string {
  return whole.format(count);
}

/** `1 hint`, `1,234 hints`; nothing while it is not known how many there are. */
export function formatCounted(count: number | null, one: string, many: string): string {
  return count === null ? '' : `${formatCount(count)} ${count === 1 ? one : many}`;
}

/** `1 run`, `1,234 runs`. */
export function formatRuns(count: number): string {
  return formatCounted(count, 'run', 'runs');
}

/** Bytes in the largest unit that keeps it at 1 or more, steps of 1,024: `0 B`, `1.5 KB`, `23 GB`. `null` is a dash. */
export function formatBytes(sizeBytes: number | null): string {
  if (sizeBytes === null) return '–';
  const step = sizeBytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(sizeBytes) / 10));
  const value = sizeBytes / 1_024 ** step;
  const digits = step === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2;
  return `${Number(value.toFixed(digits))} ${UNITS[step]}`;
}

/** A ratio of 0 to 1 as `97.3%`, always with one decimal; `null` is a dash. A ratio below 1 never reads as 100. */
export function formatRatio(ratio: number | null): string {
  if (ratio === null) return '–';
  const percent = ratio < 1 ? Math.min(ratio * 100, 99.9) : ratio * 100;
  return `${percent.toFixed(1)}%`;
}

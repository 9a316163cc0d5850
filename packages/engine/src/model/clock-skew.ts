/** More than this is a wrong clock; less is how late an answer comes, or how coarse a server's time is. */
export const SKEW_MAX_MS = 5 * 60_000;

/** How far a clock is ahead of another where that counts: 0 for a difference that clocks have. */
export function countedSkew(skewMs: number): number {
  return Math.abs(skewMs) > SKEW_MAX_MS ? skewMs : 0;
}

const UNITS: readonly (readonly [name: string, ms: number])[] = [
  ['days', 86_400_000],
  ['hours', 3_600_000],
  ['minutes', 60_000],
];

/** `20 minutes ahead`, `365 days behind`. */
export function skewText(skewMs: number): string {
  const far = Math.abs(skewMs);
  const [name, ms] = UNITS.find(([, unit]) => far >= 2 * unit) ?? ['minutes', 60_000];
  return `${Math.round(far / ms)} ${name} ${skewMs > 0 ? 'ahead' : 'behind'}`;
}

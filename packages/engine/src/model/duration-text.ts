/** `40 s`, `3 min`, `1.5 h`, `3 days`: as exact as an estimate is. */
export function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 5_400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${(seconds / 3_600).toFixed(1)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

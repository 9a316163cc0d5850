const STEPS: readonly (readonly [number, string])[] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
];

/** How long a run is overdue: `3 hours overdue`; `due now` within the first minute. Without expected moment: `null`. */
export function latenessOf(expectedAt: string | null, now: Date): string | null {
  if (expectedAt === null) return null;
  const lateMs = now.getTime() - Date.parse(expectedAt);
  const [stepMs, unit] = STEPS.find(([step]) => lateMs >= step) ?? [0, ''];
  if (stepMs === 0) return 'due now';
  const count = Math.floor(lateMs / stepMs);
  return `${count} ${unit}${count === 1 ? '' : 's'} overdue`;
}

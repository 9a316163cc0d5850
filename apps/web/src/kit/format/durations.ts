/** Formats milliseconds as `1h 2m 3s` without leading zeros (specification, part 9). Below a second: `<1s`. `null`: a dash. */
export function formatDuration(durationMs: number | null): string {
  if (durationMs === null) return '–';
  if (durationMs > 0 && durationMs < 1_000) return '<1s';
  const seconds = Math.round(durationMs / 1_000);
  const parts: [number, string][] = [
    [Math.floor(seconds / 3_600), 'h'],
    [Math.floor((seconds % 3_600) / 60), 'm'],
    [seconds % 60, 's'],
  ];
  const shown = parts.filter(([value]) => value > 0).map(([value, unit]) => `${value}${unit}`);
  return shown.length === 0 ? '0s' : shown.join(' ');
}

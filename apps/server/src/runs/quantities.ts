/** Amounts as a person reads them, in the texts that the server writes. */

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** `3 h 12 m`, `41 m`, `12 s`: the two largest units, no decimals. */
export function durationText(durationMs: number): string {
  const seconds = Math.round(durationMs / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return joined(`${hours} h`, minutes % 60, 'm');
  return joined(`${Math.floor(hours / 24)} d`, hours % 24, 'h');
}

function joined(large: string, rest: number, unit: string): string {
  return rest === 0 ? large : `${large} ${rest} ${unit}`;
}

/** `1.2 GB`: decimal units, three digits at most. */
export function sizeText(sizeBytes: number): string {
  const power = sizeBytes < 1_000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(sizeBytes) / 3));
  const value = sizeBytes / 1_000 ** power;
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power]}`;
}

/** An instant as the vendor writes it: local time of the object with its offset, whole seconds. */
export function instant(ms: number, offsetMinutes = 0): string {
  const local = new Date(ms + offsetMinutes * 60_000).toISOString().slice(0, 19);
  const sign = offsetMinutes < 0 ? '-' : '+';
  const offset = Math.abs(offsetMinutes);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${local}${sign}${two(Math.floor(offset / 60))}:${two(offset % 60)}`;
}

/** The same, or null where the vendor has null. */
export function instantOrNull(ms: number | undefined, offsetMinutes = 0): string | null {
  return ms === undefined ? null : instant(ms, offsetMinutes);
}

export function seconds(fromMs: number, toMs: number): number {
  return Math.round((toMs - fromMs) / 1000);
}

/** A time of day as the vendor writes it. The minute may be in the day before or after. */
export function timeOfDay(minute: number): string {
  const inDay = ((minute % 1440) + 1440) % 1440;
  return `${String(Math.floor(inDay / 60)).padStart(2, '0')}:${String(inDay % 60).padStart(2, '0')}:00`;
}

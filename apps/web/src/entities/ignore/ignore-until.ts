/** Until when a run can be ignored, besides a date that the user picks. `null`: for good. */
export interface IgnoreChoice {
  label: string;
  until: string | null;
}

/** Tomorrow and next Monday begin at midnight in the browser's zone, where the person's working day is. */
export function ignoreChoices(now: Date): IgnoreChoice[] {
  const startOf = (daysOn: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + daysOn).toISOString();
  const toMonday = (8 - now.getDay()) % 7 || 7;
  return [
    { label: 'Until tomorrow', until: startOf(1) },
    { label: 'Until next week', until: startOf(toMonday) },
    { label: 'Permanently', until: null },
  ];
}

/** The beginning of a day that was picked (`2026-01-31`), in the browser's zone; `null` if it is not in the future. */
export function untilDay(day: string, now: Date): string | null {
  const [, year, month, date] = /^(20\d\d)-(\d\d)-(\d\d)$/.exec(day) ?? [];
  if (year === undefined) return null;
  const at = new Date(Number(year), Number(month) - 1, Number(date));
  return at > now ? at.toISOString() : null;
}

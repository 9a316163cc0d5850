/** Until when a run or a fault can be ignored, besides a date that the user picks. `null`: without an end. */
export interface IgnoreChoice {
  label: string;
  until: string | null;
}

/** What an ignore without an end is of: a run is ignored for good, a fault until its job fails again. */
export type Ignored = 'run' | 'fault';
const WITHOUT_END: Readonly<Record<Ignored, string>> = { run: 'Permanently', fault: 'Until it fails again' };

/** Tomorrow and next Monday begin at midnight in the browser's zone, where the person's working day is. */
export function ignoreChoices(now: Date, of: Ignored): IgnoreChoice[] {
  const startOf = (daysOn: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + daysOn).toISOString();
  const toMonday = (8 - now.getDay()) % 7 || 7;
  return [
    { label: 'Until tomorrow', until: startOf(1) },
    { label: 'Until next week', until: startOf(toMonday) },
    { label: WITHOUT_END[of], until: null },
  ];
}

/** The beginning of a day that was picked (`2026-01-31`), in the browser's zone; `null` if it is not in the future. */
export function untilDay(day: string, now: Date): string | null {
  const [, year, month, date] = /^(20\d\d)-(\d\d)-(\d\d)$/.exec(day) ?? [];
  if (year === undefined) return null;
  const at = new Date(Number(year), Number(month) - 1, Number(date));
  return at > now ? at.toISOString() : null;
}

/** First and last instant of a range of whole UTC days, as ISO texts: what reports are asked for. */
export interface UtcDays {
  from: string;
  to: string;
}

/** The UTC day of a moment: `2026-03-09`. */
export function utcDayOf(at: Date): string {
  return at.toISOString().slice(0, 10);
}

/** From the beginning of the first day to the end of the last one. */
export function wholeDays(first: string, last = first): UtcDays {
  return { from: `${first}T00:00:00.000Z`, to: `${last}T23:59:59.999Z` };
}

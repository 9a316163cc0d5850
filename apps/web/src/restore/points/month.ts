/** A month of the browser's calendar; `month` is 0 for January. */
export interface Month {
  year: number;
  month: number;
}

export function monthOf(instant: Date): Month {
  return { year: instant.getFullYear(), month: instant.getMonth() };
}

/** The month that is some months later, or earlier. */
export function monthAfter({ year, month }: Month, months: number): Month {
  return monthOf(new Date(year, month + months, 1));
}

/** The days of a month in weeks from Monday, `null` where a week has days of another month. */
export function weeksOf({ year, month }: Month): (Date | null)[][] {
  const days = new Date(year, month + 1, 0).getDate();
  const before = (new Date(year, month, 1).getDay() + 6) % 7;
  const weeks = Math.ceil((before + days) / 7);
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: 7 }, (_day, weekday) => {
      const day = week * 7 + weekday - before + 1;
      return day >= 1 && day <= days ? new Date(year, month, day) : null;
    }),
  );
}

/** From the first moment of the month to its last. */
export function monthRange({ year, month }: Month): { from: string; to: string } {
  const end = new Date(year, month + 1, 1).getTime() - 1;
  return { from: new Date(year, month, 1).toISOString(), to: new Date(end).toISOString() };
}

/** The day of an instant in the browser's zone, to compare. */
export function dayKey(instant: Date): string {
  return `${instant.getFullYear()}-${instant.getMonth()}-${instant.getDate()}`;
}

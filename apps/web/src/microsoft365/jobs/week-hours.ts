/** The 168 hours of a week from Monday 0:00 on, each of them on or off. */
export type WeekHours = readonly boolean[];

export const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;
export const DAY_HOURS = 24;

/** Sets the rectangle of days and hours that has these two in its corners. */
export function setBetween(hours: WeekHours, from: number, to: number, isOn: boolean): WeekHours {
  const isBetween = (value: number, one: number, other: number) =>
    value >= Math.min(one, other) && value <= Math.max(one, other);
  return hours.map((before, place) => {
    const isInDays = isBetween(dayOf(place), dayOf(from), dayOf(to));
    return isInDays && isBetween(hourOf(place), hourOf(from), hourOf(to)) ? isOn : before;
  });
}

const dayOf = (place: number) => Math.floor(place / DAY_HOURS);
const hourOf = (place: number) => place % DAY_HOURS;

/** Returns where a key leads to from an hour; `null` for any other key, and where the week ends. */
export function placeAfter(key: string, place: number): number | null {
  const hour = hourOf(place);
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: hour > 0 ? -1 : 0,
    ArrowRight: hour < DAY_HOURS - 1 ? 1 : 0,
    ArrowUp: -DAY_HOURS,
    ArrowDown: DAY_HOURS,
    Home: -hour,
    End: DAY_HOURS - 1 - hour,
  };
  const step = steps[key];
  const next = place + (step ?? 0);
  return step === undefined || next < 0 || next >= DAYS.length * DAY_HOURS ? null : next;
}

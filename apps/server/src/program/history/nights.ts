const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Nights of the demonstration that have a restore point before anyone looks. */
const NIGHTS = 21;
/** Those of them on which not everything could be read. */
const WORSE_NIGHTS = [5, 14];
/** The job of the demonstration runs at 22:00 UTC. */
const NIGHT_HOUR = 22;
const MORNING_HOUR = 8;
/** UTC hours at which people change something, each day. */
const CHANGE_HOURS = [10, 15];

/** Returns the morning on which the demonstration's organization was connected, so that its last night is the one before `now`. */
export function firstMorning(now: Date): Date {
  const today = startOfDay(now);
  const lastDay = now.getTime() > today + NIGHT_HOUR * HOUR_MS ? today : today - DAY_MS;
  return new Date(lastDay - (NIGHTS - 1) * DAY_MS + MORNING_HOUR * HOUR_MS);
}

/** Returns the instants at which its job ran, oldest first. */
export function nightsSince(morning: Date): Date[] {
  const first = startOfDay(morning) + NIGHT_HOUR * HOUR_MS;
  return Array.from({ length: NIGHTS }, (_, night) => new Date(first + night * DAY_MS));
}

export const isWorseNight = (night: Date, morning: Date) =>
  WORSE_NIGHTS.includes(Math.floor((night.getTime() - morning.getTime()) / DAY_MS));

/** Yields the instants since that morning at which something changes, without end. */
export function* changesSince(morning: Date): Generator<Date, never> {
  for (let day = startOfDay(morning); ; day += DAY_MS)
    for (const hour of CHANGE_HOURS) yield new Date(day + hour * HOUR_MS);
}

const startOfDay = (at: Date) => Math.floor(at.getTime() / DAY_MS) * DAY_MS;

/**
 * How often a job runs, and what follows from that alone: its slots, and how far from a slot its run may begin. Which
 * jobs are expected to run, and when they are overdue, is in expected-runs.ts. These two files are the only place for
 * such rules, for current runs and for a history that is read at once.
 */
export interface Cadence {
  intervalMs: number;
  /** The starts from which it was guessed, oldest first; `null`: it is the interval of the job's schedule. */
  guessedFrom: readonly number[] | null;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

/** Fewer known runs show no cadence: four have three intervals, of which one is in the middle. */
export const CADENCE_RUNS_MIN = 4;
/** Cadences longer than this are not guessed: months differ in length by more than any grace period. */
const GUESSED_MS_MAX = 8 * DAY_MS;

/**
 * Returns the cadence of a job: the interval of its schedule or, without one, the median time between its starts
 * (oldest first, read only then). `null`: it has no recognizable cadence.
 */
export function cadenceOf(intervalMs: number | null, readStarts: () => readonly number[]): Cadence | null {
  if (intervalMs !== null) return intervalMs < MINUTE_MS ? null : { intervalMs, guessedFrom: null };
  const starts = readStarts();
  if (starts.length < CADENCE_RUNS_MIN) return null;
  const gaps = starts.slice(1).map((start, index) => start - (starts[index] ?? start));
  const median = gaps.sort((one, other) => one - other)[(gaps.length - 1) >> 1] ?? 0;
  return median < MINUTE_MS || median > GUESSED_MS_MAX ? null : { intervalMs: median, guessedFrom: starts };
}

/**
 * Returns how late a run may begin before it is reported as missed: half of the interval, at least 30 minutes, at most
 * 12 hours.
 */
export function gracePeriodMs(cadence: Cadence | null): number {
  if (cadence === null) return 12 * HOUR_MS;
  return Math.min(12 * HOUR_MS, Math.max(30 * MINUTE_MS, Math.round(cadence.intervalMs / 2)));
}

/**
 * Returns how far from a slot a run may begin and still be the run of that slot: from `earlyMs` before it, to less than
 * `lateMs` after it.
 *
 * Late: within the grace period, as a run reported in time never counts as missed then; for late runs see late-runs.ts.
 * Where slots are more than a day apart, up to twice the grace period, never beyond the middle between two slots: such
 * a run was reported as missed, and came after all. Early: slots are counted from earlier starts, and runs begin some
 * seconds off; never beyond that middle either.
 */
export function toleranceOf(cadence: Cadence | null): { earlyMs: number; lateMs: number } {
  const grace = gracePeriodMs(cadence);
  if (cadence === null) return { earlyMs: 10 * MINUTE_MS, lateMs: grace };
  const halfMs = Math.floor(cadence.intervalMs / 2);
  return { earlyMs: Math.min(10 * MINUTE_MS, halfMs), lateMs: Math.max(grace, Math.min(2 * grace, halfMs)) };
}

/** Returns the next `count` expected starts after `fromMs`; fewer where a week passes without one. */
export function nextSlots(cadence: Cadence, fromMs: number, count: number): number[] {
  const { intervalMs } = cadence;
  const slots: number[] = [];
  // No slot of a whole week fits the job's week: it has no recognizable cadence.
  for (let at = fromMs + intervalMs; slots.length < count && at <= (slots.at(-1) ?? fromMs) + WEEK_MS + intervalMs; ) {
    if (isInWeek(cadence, at)) slots.push(at);
    at += intervalMs;
  }
  return slots;
}

/** Returns the expected starts between two known ones that the later one does not fill, among the last `countMax`. */
export function slotsBetween(cadence: Cadence, startMs: number, nextMs: number, countMax: number): number[] {
  const { intervalMs } = cadence;
  const count = Math.floor((nextMs - toleranceOf(cadence).lateMs - startMs) / intervalMs);
  const first = Math.max(1, count - countMax + 1);
  const slots = Array.from({ length: Math.max(0, count - first + 1) }, (_, at) => startMs + (first + at) * intervalMs);
  return slots.filter((slot) => isInWeek(cadence, slot));
}

/**
 * Weeks from a slot in which a run at that time confirms the slot of a guessed cadence. Four before it, so that a
 * holiday does not hide the next missed run; one after it, which only a past slot has, so that the weekends of the
 * first week are known.
 */
const WEEKS_ASKED = [-4, -3, -2, -1, 1];

/**
 * Whether a slot fits the job's week: a job with a guessed cadence may rest at weekends. Every slot fits while neither
 * week beside it is known.
 */
function isInWeek({ intervalMs, guessedFrom }: Cadence, slotMs: number): boolean {
  if (guessedFrom === null) return true;
  const first = guessedFrom[0] ?? slotMs;
  const last = guessedFrom.at(-1) ?? slotMs;
  if (slotMs - first < WEEK_MS + DAY_MS && last - slotMs < WEEK_MS + DAY_MS) return true;
  const tolerance = gracePeriodMs({ intervalMs, guessedFrom });
  return WEEKS_ASKED.some((weeks) => {
    const near = slotMs + weeks * WEEK_MS;
    const start = guessedFrom[firstFrom(guessedFrom, near - tolerance)];
    return start !== undefined && start <= near + tolerance;
  });
}

/** Returns the index of the first value from `least` on in a sorted list. */
function firstFrom(values: readonly number[], least: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

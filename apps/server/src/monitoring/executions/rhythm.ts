/**
 * How often a job runs, and what follows from that alone: its slots, and how far from a slot a run may begin and still be that
 * slot's. Which jobs are expected to run, and from when they count as overdue, is in expected-runs.ts; nothing else states
 * any of these rules, neither for what goes on now nor for a past that is read as a whole.
 */
export interface Rhythm {
  intervalMs: number;
  /** The starts from which it was guessed, oldest first; `null`: the job's schedule says it. */
  guessedFrom: readonly number[] | null;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

/** Fewer known runs make no rhythm: four make the three intervals of which one is in the middle. */
export const RHYTHM_RUNS_MIN = 4;
/** Rhythms longer than this are not guessed: months differ in length by more than any grace. */
const GUESSED_MS_MAX = 8 * DAY_MS;

/**
 * The rhythm of a job whose schedule says this interval, or that ran at these starts (oldest first, asked for only where the
 * schedule says nothing): the median time between them. `null`: it has none that can be told.
 */
export function rhythmOf(intervalMs: number | null, readStarts: () => readonly number[]): Rhythm | null {
  if (intervalMs !== null) return intervalMs < MINUTE_MS ? null : { intervalMs, guessedFrom: null };
  const starts = readStarts();
  if (starts.length < RHYTHM_RUNS_MIN) return null;
  const gaps = starts.slice(1).map((start, index) => start - (starts[index] ?? start));
  const median = gaps.sort((one, other) => one - other)[(gaps.length - 1) >> 1] ?? 0;
  return median < MINUTE_MS || median > GUESSED_MS_MAX ? null : { intervalMs: median, guessedFrom: starts };
}

/** A run may begin this late before it is reported as missed: half of the interval, at least 30 minutes, at most 12 hours. */
export function graceMs(rhythm: Rhythm | null): number {
  if (rhythm === null) return 12 * HOUR_MS;
  return Math.min(12 * HOUR_MS, Math.max(30 * MINUTE_MS, Math.round(rhythm.intervalMs / 2)));
}

/**
 * How far before and after a slot a run begins that is the run of that slot: from `earlyMs` before it, to less than `lateMs`
 * after it.
 *
 * Late: within the grace, as a run told in time leaves no miss then; for a run told late see late-runs.ts. Where slots lie further
 * apart than a day, up to twice the grace, never beyond the middle between two slots: such a run was reported, and came after all.
 * Early: slots are counted from earlier starts, and runs begin some seconds off; never beyond that middle either.
 */
export function reachOf(rhythm: Rhythm | null): { earlyMs: number; lateMs: number } {
  const grace = graceMs(rhythm);
  if (rhythm === null) return { earlyMs: 10 * MINUTE_MS, lateMs: grace };
  const halfMs = Math.floor(rhythm.intervalMs / 2);
  return { earlyMs: Math.min(10 * MINUTE_MS, halfMs), lateMs: Math.max(grace, Math.min(2 * grace, halfMs)) };
}

/** The expected starts after `fromMs`, `count` of them; fewer where a week passes without one. */
export function nextSlots(rhythm: Rhythm, fromMs: number, count: number): number[] {
  const { intervalMs } = rhythm;
  const slots: number[] = [];
  // A week of slots without one that fits the job's week: it has no rhythm that could be told.
  for (let at = fromMs + intervalMs; slots.length < count && at <= (slots.at(-1) ?? fromMs) + WEEK_MS + intervalMs; ) {
    if (isInWeek(rhythm, at)) slots.push(at);
    at += intervalMs;
  }
  return slots;
}

/** The expected starts between two known ones that the later one does not fill: of many the last `countMax` are looked at. */
export function slotsBetween(rhythm: Rhythm, startMs: number, nextMs: number, countMax: number): number[] {
  const { intervalMs } = rhythm;
  const count = Math.floor((nextMs - reachOf(rhythm).lateMs - startMs) / intervalMs);
  const first = Math.max(1, count - countMax + 1);
  const slots = Array.from({ length: Math.max(0, count - first + 1) }, (_, at) => startMs + (first + at) * intervalMs);
  return slots.filter((slot) => isInWeek(rhythm, slot));
}

/**
 * Weeks from a slot in which a run at that time makes the slot one of a guessed rhythm. Four before it, so that a holiday does
 * not hide the next miss; one after it, which only a past has, so that the weekends of its first week are known.
 */
const WEEKS_ASKED = [-4, -3, -2, -1, 1];

/** Jobs whose rhythm is guessed may rest at weekends. While neither week beside a slot is known, none can be told from another. */
function isInWeek({ intervalMs, guessedFrom }: Rhythm, slotMs: number): boolean {
  if (guessedFrom === null) return true;
  const first = guessedFrom[0] ?? slotMs;
  const last = guessedFrom.at(-1) ?? slotMs;
  if (slotMs - first < WEEK_MS + DAY_MS && last - slotMs < WEEK_MS + DAY_MS) return true;
  const tolerance = graceMs({ intervalMs, guessedFrom });
  return WEEKS_ASKED.some((weeks) => {
    const near = slotMs + weeks * WEEK_MS;
    const start = guessedFrom[firstFrom(guessedFrom, near - tolerance)];
    return start !== undefined && start <= near + tolerance;
  });
}

/** Where in a sorted list the first value from `least` on stands. */
function firstFrom(values: readonly number[], least: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

import type { ScheduleType } from '@keepwatch/connectors/ports/backup-source';
import { type Baseline, startsOf } from '../runs/baseline.ts';
import { type Cadence, cadenceOf, gracePeriodMs, nextSlots } from './cadence.ts';

/**
 * When a job is expected to run: by the interval or next run that its source reports or, without these, by the median
 * interval of its own successful runs (see cadence.ts).
 *
 * Queries use the result in `jobs.overdue_at` and `jobs.expected_at`, the expected start. Both are written with every
 * change of a schedule and with every run, and are `null` for a job that is not expected to run or whose next run is
 * unknown.
 */
export interface Schedule {
  isEnabled: boolean;
  isRemoved: boolean;
  scheduleType: ScheduleType | null;
  intervalMs: number | null;
  nextRunAtMs: number | null;
  /** No slot before this counts: the job was off, or had another cadence. `null`: the schedule has always applied. */
  sinceMs: number | null;
}

/** What a job is due for. */
export interface Due {
  /** When its run should begin. */
  expectedAtMs: number;
  /** When it counts as missed: later by the grace period of the job's cadence. */
  overdueAtMs: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Returns the cadence of a job as far as its schedule and its baseline show it. */
export function knownCadence({ intervalMs }: Pick<Schedule, 'intervalMs'>, known: Baseline): Cadence | null {
  return cadenceOf(intervalMs, () => startsOf(known));
}

/**
 * Whether missed runs of the job can be detected at all. Disabled and removed jobs run on demand only; a chained job
 * follows another, which is reported itself; a continuous job has no slots.
 */
function isExpectedToRun(schedule: Schedule): boolean {
  if (!schedule.isEnabled || schedule.isRemoved) return false;
  if (schedule.scheduleType === 'Disabled' || schedule.scheduleType === 'Continuously') return false;
  return schedule.scheduleType !== 'Chained' || schedule.intervalMs !== null;
}

/**
 * Returns what a job is due for after a run that began at `lastStartedAtMs` (`null`: no run is known); `null`: nothing,
 * or unknown.
 */
export function dueAfter(schedule: Schedule, lastStartedAtMs: number | null, known: Baseline): Due | null {
  const cadence = knownCadence(schedule, known);
  return dueAt(expectedIn(schedule, lastStartedAtMs, cadence), cadence);
}

/** Returns the same expected start with the grace period of a changed cadence. */
export function dueStill(schedule: Schedule, { expectedAtMs }: Due, known: Baseline): Due | null {
  return dueAt(expectedAtMs, knownCadence(schedule, known));
}

function dueAt(expectedAtMs: number | null, cadence: Cadence | null): Due | null {
  return expectedAtMs === null ? null : { expectedAtMs, overdueAtMs: expectedAtMs + gracePeriodMs(cadence) };
}

/**
 * Sources name the next run as seen from now: after a missed run, it is beyond that. So an interval of the schedule
 * counts from the last run, and the named next run only makes it exact. A guessed interval yields to the source.
 */
function expectedIn(schedule: Schedule, lastStartedAtMs: number | null, cadence: Cadence | null): number | null {
  if (!isExpectedToRun(schedule)) return null;
  const { nextRunAtMs, sinceMs } = schedule;
  if (lastStartedAtMs === null) return nextRunAtMs;
  const fromMs = Math.max(lastStartedAtMs, sinceMs ?? lastStartedAtMs);
  const counted = cadence === null ? null : (nextSlots(cadence, fromMs, 1)[0] ?? null);
  if (nextRunAtMs === null) return counted;
  if (cadence !== null && cadence.guessedFrom === null && counted !== null)
    return Math.abs(nextRunAtMs - counted) < cadence.intervalMs / 2 ? nextRunAtMs : counted;
  // Clocks differ: a next run right after the last one's start is that same run, planned.
  return nextRunAtMs > lastStartedAtMs + 10 * MINUTE_MS ? nextRunAtMs : counted;
}

/** What is known of a job besides the schedule that its source reports now. */
export interface KnownJob {
  /** As it was reported before. */
  schedule: Schedule;
  last: { startedAtMs: number } | null;
  due: Due | null;
  baseline: Baseline;
}

/**
 * Returns the newly read schedule with the instant since when it applies. What would have been due under it before now,
 * while the job was off or had another cadence, never was a slot.
 */
export function scheduleSince(reported: Omit<Schedule, 'sinceMs'>, known: KnownJob, nowMs: number): Schedule {
  const schedule = { ...reported, sinceMs: known.schedule.sinceMs };
  const isAsBefore = isExpectedToRun(known.schedule) && known.schedule.intervalMs === reported.intervalMs;
  if (isAsBefore) return schedule;
  const due = dueAfter(schedule, known.last?.startedAtMs ?? null, known.baseline);
  return due !== null && due.expectedAtMs > nowMs ? schedule : { ...schedule, sinceMs: nowMs };
}

/**
 * Returns what a job is due for under a newly read schedule. A source reports only the next run: after a slot in which
 * nothing ran, the job stays due for that slot.
 */
export function dueUnder(schedule: Schedule, known: KnownJob, nowMs: number): Due | null {
  const due = dueAfter(schedule, known.last?.startedAtMs ?? null, known.baseline);
  if (due === null || known.due === null || !isExpectedToRun(known.schedule)) return due;
  return known.due.expectedAtMs <= nowMs ? dueStill(schedule, known.due, known.baseline) : due;
}

/** What a job has been due for since it stalled, and the cadence that says so. */
export interface Stall {
  due: Due;
  cadence: Cadence;
}

/**
 * Finds the slot since which a job has stalled, where its source reports only the next run: as seen from now, that is
 * beyond all slots in which nothing ran. Only for a history up to now that was read at once, so that these slots passed
 * unobserved; while a source is monitored, its next run is exact. The cadence is that of all `starts` (oldest first, up
 * to the last run). `null`: no slot has passed, or the cadence is unknown.
 */
export function stallOf(schedule: Schedule, starts: readonly number[], nowMs: number): Stall | null {
  const lastMs = starts.at(-1);
  if (lastMs === undefined || !isExpectedToRun(schedule) || schedule.intervalMs !== null) return null;
  const cadence = inferredCadence(schedule.scheduleType, starts);
  if (cadence === null) return null;
  const due = dueAt(slotInStall(cadence, Math.max(lastMs, schedule.sinceMs ?? lastMs)), cadence);
  return due !== null && due.overdueAtMs < nowMs ? { due, cadence } : null;
}

/**
 * Returns the first slot after `fromMs`, but no later than after the longest pause of the job. A job that runs every
 * few days fits no week, so its real slots cannot be recognized.
 */
function slotInStall(cadence: Cadence, fromMs: number): number | null {
  const slot = nextSlots(cadence, fromMs, 1)[0] ?? null;
  if (cadence.guessedFrom === null) return slot;
  let pauseMs = 0;
  for (const [index, start] of cadence.guessedFrom.entries())
    pauseMs = Math.max(pauseMs, start - (cadence.guessedFrom[index - 1] ?? start));
  return Math.min(slot ?? fromMs + pauseMs, fromMs + pauseMs);
}

/**
 * Guesses a cadence from the starts. A daily schedule has days of the week, so it runs every seven days at least;
 * monthly schedules are not guessed, because months differ in length.
 */
function inferredCadence(scheduleType: ScheduleType | null, starts: readonly number[]): Cadence | null {
  if (scheduleType === 'Monthly') return null;
  const weekly = scheduleType === 'Daily' ? { intervalMs: 7 * DAY_MS, guessedFrom: null } : null;
  return cadenceOf(null, () => starts) ?? weekly;
}

interface MissedStretch {
  expectedAtMs: number;
  sinceMs: number | null;
  horizonMs: number;
  countMax: number;
}

/**
 * Returns the slots of an overdue job that have passed by more than its grace period: the one that it is due for, and
 * those after it since its schedule applies, at most `countMax`. `horizonMs`: nothing later is known.
 */
export function missedSlots(
  cadence: Cadence | null,
  { expectedAtMs, sinceMs, horizonMs, countMax }: MissedStretch,
): number[] {
  const grace = gracePeriodMs(cadence);
  const fromMs = Math.max(expectedAtMs, sinceMs ?? expectedAtMs);
  const slots = [expectedAtMs, ...(cadence === null ? [] : nextSlots(cadence, fromMs, countMax - 1))];
  return slots.filter((slot) => slot + grace < horizonMs);
}

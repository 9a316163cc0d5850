import type { ScheduleType } from '@keepwatch/connectors/ports/backup-source';
import { type Baseline, startsOf } from './baseline.ts';
import { graceMs, nextSlots, type Rhythm, rhythmOf } from './rhythm.ts';

/**
 * When a job is expected to run. Where the source says the interval or the next run, that is taken; where it says nothing,
 * the median interval of the job's own successful runs (see rhythm.ts).
 *
 * What queries need of it stands in `jobs.overdue_at`, which is written with every change of a schedule and with every run:
 * `null` for a job that is not expected to run, or of which nobody can tell when.
 */
export interface Schedule {
  isEnabled: boolean;
  isRemoved: boolean;
  scheduleType: ScheduleType | null;
  intervalMs: number | null;
  nextRunAtMs: number | null;
}

const MINUTE_MS = 60_000;

/** The rhythm of a job as far as its schedule and its memory tell it. */
export function knownRhythm({ intervalMs }: Pick<Schedule, 'intervalMs'>, known: Baseline): Rhythm | null {
  return rhythmOf(intervalMs, () => startsOf(known));
}

/**
 * Whether missed runs of the job can be told at all. Disabled and removed jobs run when somebody wants them to; a chained job
 * follows another, which is reported itself; a continuous job has no slots.
 */
function isExpectedToRun(schedule: Schedule): boolean {
  if (!schedule.isEnabled || schedule.isRemoved) return false;
  if (schedule.scheduleType === 'Disabled' || schedule.scheduleType === 'Continuously') return false;
  return schedule.scheduleType !== 'Chained' || schedule.intervalMs !== null;
}

/** When the next run after one that began at `lastStartedAtMs` (`null`: none is known) should begin; `null`: not known. */
export function expectedAtMs(schedule: Schedule, lastStartedAtMs: number | null, known: Baseline): number | null {
  return expectedIn(schedule, lastStartedAtMs, knownRhythm(schedule, known));
}

/**
 * Sources name the next run as seen from now: of a job that missed a run it lies beyond the miss. So an interval of the
 * schedule counts from the last run, and the next run named only makes it exact. A guessed interval yields to the source.
 */
function expectedIn(schedule: Schedule, lastStartedAtMs: number | null, rhythm: Rhythm | null): number | null {
  if (!isExpectedToRun(schedule)) return null;
  const { nextRunAtMs } = schedule;
  if (lastStartedAtMs === null) return nextRunAtMs;
  const counted = rhythm === null ? null : (nextSlots(rhythm, lastStartedAtMs, 1)[0] ?? null);
  if (nextRunAtMs === null) return counted;
  if (rhythm !== null && rhythm.guessedFrom === null && counted !== null)
    return Math.abs(nextRunAtMs - counted) < rhythm.intervalMs / 2 ? nextRunAtMs : counted;
  // Clocks differ: a next run right after the last one's start is that same run, planned.
  return nextRunAtMs > lastStartedAtMs + 10 * MINUTE_MS ? nextRunAtMs : counted;
}

/** When it counts as missed; `null`: never. */
export function overdueAtMs(schedule: Schedule, lastStartedAtMs: number | null, known: Baseline): number | null {
  const rhythm = knownRhythm(schedule, known);
  const expected = expectedIn(schedule, lastStartedAtMs, rhythm);
  return expected === null ? null : expected + graceMs(rhythm);
}

/** What is known of a job beside the schedule that its source tells now. */
export interface KnownJob {
  /** As it was told before. */
  schedule: Schedule;
  last: { startedAtMs: number } | null;
  overdueAtMs: number | null;
  baseline: Baseline;
}

/**
 * When a job counts as overdue under a schedule that was read anew. A source only says the next run: once it has passed a slot
 * in which nothing ran, the slot stays what the job is overdue for.
 */
export function overdueUnder(schedule: Schedule, known: KnownJob, nowMs: number): number | null {
  const overdue = overdueAtMs(schedule, known.last?.startedAtMs ?? null, known.baseline);
  if (overdue === null) return null;
  if (!isExpectedToRun(known.schedule)) {
    // Switched on again: nothing was missed while it was off.
    return overdue < nowMs ? overdueAtMs(schedule, nowMs, known.baseline) : overdue;
  }
  const grace = graceMs(knownRhythm(known.schedule, known.baseline));
  const hasPassed = known.overdueAtMs !== null && known.overdueAtMs - grace <= nowMs;
  return hasPassed ? known.overdueAtMs : overdue;
}

/**
 * The slots of an overdue job that have passed by more than its grace: the first one, from which `overdueAtMs` was counted, and
 * those after it, `countMax` at most. `horizonMs`: nothing is known of what came later.
 */
export function missedSlots(
  rhythm: Rhythm | null,
  { overdueAtMs, horizonMs, countMax }: { overdueAtMs: number; horizonMs: number; countMax: number },
): number[] {
  const grace = graceMs(rhythm);
  const first = overdueAtMs - grace;
  const slots = [first, ...(rhythm === null ? [] : nextSlots(rhythm, first, countMax - 1))];
  return slots.filter((slot) => slot + grace < horizonMs);
}

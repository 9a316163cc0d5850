import type { ScheduleType } from '@keepwatch/connectors/ports/backup-source';
import { type Baseline, startsOf } from './baseline.ts';

/**
 * When a job is expected to run. Where the source says the interval or the next run, that is taken; where it says nothing,
 * the median interval of the job's own successful runs.
 */
export interface Schedule {
  isEnabled: boolean;
  isRemoved: boolean;
  scheduleType: ScheduleType | null;
  intervalMs: number | null;
  nextRunAtMs: number | null;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const WEEK_MS = 7 * DAY_MS;

/** A run may begin this late before it counts as missed: half of the interval, at least 30 minutes, at most 12 hours. */
export function graceMs(intervalMs: number | null): number {
  if (intervalMs === null) return 12 * HOUR_MS;
  return Math.min(12 * HOUR_MS, Math.max(30 * MINUTE_MS, Math.round(intervalMs / 2)));
}

/** Fewer known runs make no rhythm. */
const RUNS_MIN = 4;

/** The median time between the job's successful runs; `null` with fewer than four. */
export function usualIntervalMs(known: Baseline): number | null {
  if (known.count < RUNS_MIN) return null;
  const starts = startsOf(known);
  const gaps = starts.slice(1).map((start, index) => start - (starts[index] ?? start));
  return gaps.sort((one, other) => one - other)[(gaps.length - 1) >> 1] ?? null;
}

/**
 * Whether missed runs of the job can be told at all. Disabled and removed jobs run when somebody wants them to; a chained job
 * follows another, which is reported itself; a continuous job has no slots.
 */
export function isExpectedToRun(schedule: Schedule): boolean {
  if (!schedule.isEnabled || schedule.isRemoved) return false;
  if (schedule.scheduleType === 'Disabled' || schedule.scheduleType === 'Continuously') return false;
  return schedule.scheduleType !== 'Chained' || schedule.intervalMs !== null;
}

/**
 * When the next run after one that began at `lastStartedAtMs` (`null`: none is known) should begin; `null`: not known.
 *
 * Sources name the next run as seen from now: of a job that missed a run it lies beyond the miss. So an interval of the
 * schedule counts from the last run, and the next run named only makes it exact. A guessed interval yields to the source.
 */
export function expectedAtMs(schedule: Schedule, lastStartedAtMs: number | null, known: Baseline): number | null {
  if (!isExpectedToRun(schedule)) return null;
  const { intervalMs, nextRunAtMs } = schedule;
  if (lastStartedAtMs === null) return nextRunAtMs;
  const counted = nextSlots(schedule, lastStartedAtMs, known, 1)[0] ?? null;
  if (nextRunAtMs === null) return counted;
  if (intervalMs !== null && counted !== null)
    return Math.abs(nextRunAtMs - counted) < intervalMs / 2 ? nextRunAtMs : counted;
  // Clocks differ: a next run right after the last one's start is that same run, planned.
  return nextRunAtMs > lastStartedAtMs + 10 * MINUTE_MS ? nextRunAtMs : counted;
}

/** When it counts as missed; `null`: never. */
export function overdueAtMs(schedule: Schedule, lastStartedAtMs: number | null, known: Baseline): number | null {
  const expected = expectedAtMs(schedule, lastStartedAtMs, known);
  return expected === null ? null : expected + graceMs(schedule.intervalMs ?? usualIntervalMs(known));
}

/** The expected starts after `fromMs`, `count` of them; none where no interval is known. */
export function nextSlots(
  schedule: Pick<Schedule, 'intervalMs'>,
  fromMs: number,
  known: Baseline,
  count: number,
): number[] {
  const intervalMs = schedule.intervalMs ?? usualIntervalMs(known);
  if (intervalMs === null || intervalMs < MINUTE_MS) return [];
  if (schedule.intervalMs !== null)
    return Array.from({ length: count }, (_, index) => fromMs + (index + 1) * intervalMs);
  const starts = startsOf(known);
  const slots: number[] = [];
  // A week of slots without one that fits the job's week: it has no rhythm that could be told.
  for (let at = fromMs + intervalMs; slots.length < count && at <= (slots.at(-1) ?? fromMs) + WEEK_MS + intervalMs; ) {
    if (isOnItsWeekday(at, intervalMs, starts)) slots.push(at);
    at += intervalMs;
  }
  return slots;
}

/**
 * Jobs whose interval is only guessed may rest at weekends: a slot counts when the job ran at that time in one of the four
 * weeks before, or when its history is too short to tell.
 */
function isOnItsWeekday(atMs: number, intervalMs: number, starts: readonly number[]): boolean {
  const first = starts[0] ?? atMs;
  if (atMs - first < WEEK_MS + DAY_MS) return true;
  const tolerance = Math.max(graceMs(intervalMs), 30 * MINUTE_MS);
  return [1, 2, 3, 4].some((weeks) => starts.some((start) => Math.abs(start - (atMs - weeks * WEEK_MS)) <= tolerance));
}

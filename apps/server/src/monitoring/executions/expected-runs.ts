import type { ScheduleType } from '@keepwatch/connectors/ports/backup-source';
import { type Baseline, startsOf } from './baseline.ts';
import { graceMs, nextSlots, type Rhythm, rhythmOf } from './rhythm.ts';

/**
 * When a job is expected to run. Where the source says the interval or the next run, that is taken; where it says nothing,
 * the median interval of the job's own successful runs (see rhythm.ts).
 *
 * What queries need of it stands in `jobs.overdue_at`, which is written with every change of a schedule and with every run, beside
 * the start that is expected (`jobs.expected_at`): both `null` for a job that is not expected to run, or of which nobody can tell when.
 */
export interface Schedule {
  isEnabled: boolean;
  isRemoved: boolean;
  scheduleType: ScheduleType | null;
  intervalMs: number | null;
  nextRunAtMs: number | null;
  /** What was due before this never was a slot: the job was off, or ran in another rhythm. `null`: it always held. */
  sinceMs: number | null;
}

/** What a job is due for. */
export interface Due {
  /** When its run should begin. */
  expectedAtMs: number;
  /** When it counts as missed: later by the grace of the job's rhythm. */
  overdueAtMs: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

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

/** What a job is due for after a run that began at `lastStartedAtMs` (`null`: none is known); `null`: nothing, or not known. */
export function dueAfter(schedule: Schedule, lastStartedAtMs: number | null, known: Baseline): Due | null {
  const rhythm = knownRhythm(schedule, known);
  return dueAt(expectedIn(schedule, lastStartedAtMs, rhythm), rhythm);
}

/** The same expected start in a rhythm that has changed, and with it the grace. */
export function dueStill(schedule: Schedule, { expectedAtMs }: Due, known: Baseline): Due | null {
  return dueAt(expectedAtMs, knownRhythm(schedule, known));
}

function dueAt(expectedAtMs: number | null, rhythm: Rhythm | null): Due | null {
  return expectedAtMs === null ? null : { expectedAtMs, overdueAtMs: expectedAtMs + graceMs(rhythm) };
}

/**
 * Sources name the next run as seen from now: of a job that missed a run it lies beyond the miss. So an interval of the
 * schedule counts from the last run, and the next run named only makes it exact. A guessed interval yields to the source.
 */
function expectedIn(schedule: Schedule, lastStartedAtMs: number | null, rhythm: Rhythm | null): number | null {
  if (!isExpectedToRun(schedule)) return null;
  const { nextRunAtMs, sinceMs } = schedule;
  if (lastStartedAtMs === null) return nextRunAtMs;
  const fromMs = Math.max(lastStartedAtMs, sinceMs ?? lastStartedAtMs);
  const counted = rhythm === null ? null : (nextSlots(rhythm, fromMs, 1)[0] ?? null);
  if (nextRunAtMs === null) return counted;
  if (rhythm !== null && rhythm.guessedFrom === null && counted !== null)
    return Math.abs(nextRunAtMs - counted) < rhythm.intervalMs / 2 ? nextRunAtMs : counted;
  // Clocks differ: a next run right after the last one's start is that same run, planned.
  return nextRunAtMs > lastStartedAtMs + 10 * MINUTE_MS ? nextRunAtMs : counted;
}

/** What is known of a job beside the schedule that its source tells now. */
export interface KnownJob {
  /** As it was told before. */
  schedule: Schedule;
  last: { startedAtMs: number } | null;
  due: Due | null;
  baseline: Baseline;
}

/**
 * The schedule that was read anew, with the instant since when it holds. What would have been due under it before now, while the
 * job was off or ran in another rhythm, never was a slot.
 */
export function scheduleSince(told: Omit<Schedule, 'sinceMs'>, known: KnownJob, nowMs: number): Schedule {
  const schedule = { ...told, sinceMs: known.schedule.sinceMs };
  const isAsBefore = isExpectedToRun(known.schedule) && known.schedule.intervalMs === told.intervalMs;
  if (isAsBefore) return schedule;
  const due = dueAfter(schedule, known.last?.startedAtMs ?? null, known.baseline);
  return due !== null && due.expectedAtMs > nowMs ? schedule : { ...schedule, sinceMs: nowMs };
}

/**
 * What a job is due for under a schedule that was read anew. A source only says the next run: once it has passed a slot in which
 * nothing ran, the slot stays what the job is due for.
 */
export function dueUnder(schedule: Schedule, known: KnownJob, nowMs: number): Due | null {
  const due = dueAfter(schedule, known.last?.startedAtMs ?? null, known.baseline);
  if (due === null || known.due === null || !isExpectedToRun(known.schedule)) return due;
  return known.due.expectedAtMs <= nowMs ? dueStill(schedule, known.due, known.baseline) : due;
}

/** What a job has been due for since it fell silent, and the rhythm that says so. */
export interface Silence {
  due: Due;
  rhythm: Rhythm;
}

/**
 * Whether a slot has passed since a job's last run, where its source names nothing but the next run: as seen from now, that lies
 * beyond all slots in which nothing ran. To be asked where everything up to now was read at once, so that nobody saw those slots
 * pass; while a source is being watched, its word is exact and stands. The rhythm is that of all `starts` (oldest first), the
 * last one being the last run's. `null`: nothing has passed, or nobody can tell.
 */
export function silenceOf(schedule: Schedule, starts: readonly number[], nowMs: number): Silence | null {
  const lastMs = starts.at(-1);
  if (lastMs === undefined || !isExpectedToRun(schedule) || schedule.intervalMs !== null) return null;
  const rhythm = guessedRhythm(schedule.scheduleType, starts);
  if (rhythm === null) return null;
  const due = dueAt(slotInSilence(rhythm, Math.max(lastMs, schedule.sinceMs ?? lastMs)), rhythm);
  return due !== null && due.overdueAtMs < nowMs ? { due, rhythm } : null;
}

/**
 * The first slot after `fromMs`, at the latest after as long as the job ever paused: every few days fits no week, and of slots that
 * fit none it cannot be told which are real ones.
 */
function slotInSilence(rhythm: Rhythm, fromMs: number): number | null {
  const slot = nextSlots(rhythm, fromMs, 1)[0] ?? null;
  if (rhythm.guessedFrom === null) return slot;
  let pauseMs = 0;
  for (const [index, start] of rhythm.guessedFrom.entries())
    pauseMs = Math.max(pauseMs, start - (rhythm.guessedFrom[index - 1] ?? start));
  return Math.min(slot ?? fromMs + pauseMs, fromMs + pauseMs);
}

/** A daily schedule has days of the week, so it runs every seven days at least; months differ in length, and are not guessed. */
function guessedRhythm(scheduleType: ScheduleType | null, starts: readonly number[]): Rhythm | null {
  if (scheduleType === 'Monthly') return null;
  const weekly = scheduleType === 'Daily' ? { intervalMs: 7 * DAY_MS, guessedFrom: null } : null;
  return rhythmOf(null, () => starts) ?? weekly;
}

interface MissedStretch {
  expectedAtMs: number;
  sinceMs: number | null;
  horizonMs: number;
  countMax: number;
}

/**
 * The slots of an overdue job that have passed by more than its grace: the one that it is due for, and those after it since its
 * schedule holds, `countMax` at most. `horizonMs`: nothing is known of what came later.
 */
export function missedSlots(
  rhythm: Rhythm | null,
  { expectedAtMs, sinceMs, horizonMs, countMax }: MissedStretch,
): number[] {
  const grace = graceMs(rhythm);
  const fromMs = Math.max(expectedAtMs, sinceMs ?? expectedAtMs);
  const slots = [expectedAtMs, ...(rhythm === null ? [] : nextSlots(rhythm, fromMs, countMax - 1))];
  return slots.filter((slot) => slot + grace < horizonMs);
}

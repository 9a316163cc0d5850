import type { Job } from './job.ts';
import { type Attempt, attemptsOf } from './runs.ts';
import { dayMs, nextSlot, reachMs, slotsBetween } from './schedule.ts';
import { isEnabled } from './trouble.ts';

/** How far back the sandbox remembers. */
export const historyDays = 100;
/** The longest time from a slot to the start of an attempt: retries, and runs that wait for the one before. */
const latestStartMs = 36 * 3_600_000;

/** The newest attempt of a job that has started at `nowMs`, running or ended; undefined when there is none to remember. */
export function lastAttempt(job: Job, nowMs: number): Attempt | undefined {
  if (job.character === 'never-ran') return undefined;
  const oldest = nowMs - historyDays * dayMs;
  const step = Math.max(reachMs(job.schedule), 6 * 3_600_000);
  for (let to = nowMs; to > oldest && step > 0; to -= step) {
    const slots = slotsBetween(job.schedule, Math.max(to - step, oldest), to === nowMs ? to + 1 : to);
    for (const slot of slots.reverse()) {
      const started = attemptsOf(job, slot).filter((attempt) => attempt.startMs <= nowMs);
      const last = started.at(-1);
      if (last) return last;
    }
  }
  return undefined;
}

/** The newest attempt that has ended at `nowMs`. */
export function lastEndedAttempt(job: Job, nowMs: number): Attempt | undefined {
  const last = lastAttempt(job, nowMs);
  if (!last || last.endMs <= nowMs) return last;
  const earlier = attemptsOf(job, last.slot).filter((attempt) => attempt.endMs <= nowMs);
  return earlier.at(-1) ?? lastAttempt(job, last.slot - 1);
}

/** All attempts of a job that started in [fromMs, toMs) and have ended at `nowMs`, oldest first. */
export function endedAttempts(job: Job, fromMs: number, toMs: number, nowMs: number): Attempt[] {
  const oldest = Math.max(fromMs, nowMs - historyDays * dayMs);
  const leadMs = Math.min(reachMs(job.schedule), latestStartMs);
  return slotsBetween(job.schedule, oldest - leadMs, Math.min(toMs, nowMs))
    .flatMap((slot) => attemptsOf(job, slot))
    .filter((attempt) => attempt.startMs >= oldest && attempt.startMs < toMs && attempt.endMs <= nowMs);
}

/** When the job is due next, or undefined when it is switched off or has no schedule. */
export function nextRunMs(job: Job, nowMs: number): number | undefined {
  return isEnabled(job, nowMs) ? nextSlot(job.schedule, nowMs) : undefined;
}

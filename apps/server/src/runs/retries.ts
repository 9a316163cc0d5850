import type { Result } from '@keepwatch/contract/runs/values';
import { type Attempt, isSameAttempt, withNewerReport } from './attempt.ts';

/** The attempts of a run, oldest first. The last one says how the run ended. */
export type Attempts = readonly [Attempt, ...Attempt[]];

/** An attempt that begins this soon after a failed one of the same job ended is its retry. */
export const RETRY_WITHIN_MS = 15 * 60_000;

/**
 * Maximum attempts of one run: consoles retry three times by default. Without a limit, a job every 15 minutes that
 * fails for days would be one run on the first day and be missing on all that follow.
 */
export const ATTEMPTS_MAX = 4;

/** Whether `next`, the attempt that follows `attempt` in time, retries it. */
export function isRetryOf(
  attempt: { result: Result; endedAtMs: number | null },
  next: Pick<Attempt, 'startedAtMs'>,
): boolean {
  if (attempt.result !== 'Failed' || attempt.endedAtMs === null) return false;
  return next.startedAtMs - attempt.endedAtMs <= RETRY_WITHIN_MS;
}

/**
 * Merges reported attempts into the known ones and sorts all by start. The result does not depend on the order or the
 * batches in which they arrived.
 */
export function withAttempts(known: readonly Attempt[], reported: readonly Attempt[]): Attempt[] {
  if (known.length === 0 && reported.length === 1) return [...reported];
  const stored = new Set(known);
  const all: Attempt[] = [];
  for (const attempt of [...known, ...reported].sort((one, other) => one.startedAtMs - other.startedAtMs)) {
    const last = all.at(-1);
    if (last === undefined || !isSameAttempt(last, attempt)) {
      all.push(attempt);
      continue;
    }
    // The stored report retains its start, and with it the id of its row.
    const isLaterStored = stored.has(attempt) && !stored.has(last);
    const merged = isLaterStored ? withNewerReport(attempt, last) : withNewerReport(last, attempt);
    if (stored.has(attempt) || stored.has(last)) stored.add(merged);
    all[all.length - 1] = merged;
  }
  return all;
}

/**
 * Groups the attempts of one job, sorted by start, into runs. Whether an attempt retries the one before it depends on
 * these two alone; after the maximum number of attempts, the next one begins another run.
 */
export function runsOf(attempts: readonly Attempt[]): Attempts[] {
  const runs: [Attempt, ...Attempt[]][] = [];
  for (const attempt of attempts) {
    const last = runs.at(-1);
    const before = last?.at(-1);
    const mayGoOn = last !== undefined && last.length < ATTEMPTS_MAX;
    if (mayGoOn && before !== undefined && isRetryOf(before, attempt)) last.push(attempt);
    else runs.push([attempt]);
  }
  return runs;
}

/** Returns the attempt that says how a run ended. */
export function lastAttempt(attempts: Attempts): Attempt {
  return attempts.at(-1) ?? attempts[0];
}

import type { Result } from '@keepwatch/contract/monitoring/values';
import { type Attempt, isSameAttempt, retold } from './attempt.ts';

/** A run: its tries, oldest first. The last one says how the run ended. */
export type Tries = readonly [Attempt, ...Attempt[]];

/** A try that begins this soon after a failed one of the same job ended is its repetition. */
export const RETRY_WITHIN_MS = 15 * 60_000;

/**
 * Most tries of one run: consoles repeat three times unless told otherwise. A job every 15 minutes that fails for days would else
 * be one run, which stands on the day on which it began, and be missing on all that follow.
 */
export const TRIES_MAX = 4;

/** Whether `next`, the try that follows `attempt` in time, repeats it. */
export function isRetryOf(
  attempt: { result: Result; endedAtMs: number | null },
  next: Pick<Attempt, 'startedAtMs'>,
): boolean {
  if (attempt.result !== 'Failed' || attempt.endedAtMs === null) return false;
  return next.startedAtMs - attempt.endedAtMs <= RETRY_WITHIN_MS;
}

/**
 * Puts tries that were told again on those known and sorts all by start. A pure function of what is known: in which order
 * and in how many pieces it arrived makes no difference.
 */
export function withAttempts(known: readonly Attempt[], told: readonly Attempt[]): Attempt[] {
  if (known.length === 0 && told.length === 1) return [...told];
  const stored = new Set(known);
  const all: Attempt[] = [];
  for (const attempt of [...known, ...told].sort((one, other) => one.startedAtMs - other.startedAtMs)) {
    const last = all.at(-1);
    if (last === undefined || !isSameAttempt(last, attempt)) {
      all.push(attempt);
      continue;
    }
    // The stored telling keeps its start, and with it the id of its row.
    const isLaterStored = stored.has(attempt) && !stored.has(last);
    const merged = isLaterStored ? retold(attempt, last) : retold(last, attempt);
    if (stored.has(attempt) || stored.has(last)) stored.add(merged);
    all[all.length - 1] = merged;
  }
  return all;
}

/**
 * Tries of one job, sorted by start, as runs. Whether a try repeats the one before it depends on these two alone; where a run has
 * as many tries as one may have, the next try begins another.
 */
export function runsOf(attempts: readonly Attempt[]): Tries[] {
  const runs: [Attempt, ...Attempt[]][] = [];
  for (const attempt of attempts) {
    const last = runs.at(-1);
    const before = last?.at(-1);
    const mayGoOn = last !== undefined && last.length < TRIES_MAX;
    if (mayGoOn && before !== undefined && isRetryOf(before, attempt)) last.push(attempt);
    else runs.push([attempt]);
  }
  return runs;
}

/** The try that says how a run ended. */
export function lastTry(tries: Tries): Attempt {
  return tries.at(-1) ?? tries[0];
}

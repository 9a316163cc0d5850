import { EngineError } from '../../model/engine-error.ts';
import type { Clock } from './clock.ts';

/** Attempts at a call that fails in a way that may pass; pauses that the vendor asks for count too. */
const MOST_ATTEMPTS = 8;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** What an attempt came to: what was asked for, or a failure that may pass. */
export type Attempt<T> =
  | { value: T }
  /** `pausedUntilMs`: when the vendor wants to be asked again, which is obeyed by the budget. */
  | { failure: EngineError; pausedUntilMs: number | null };

/**
 * Tries until it works, with pauses that double and are drawn at random, so that callers who failed together do not come back together.
 * A pause that the vendor named is obeyed to the millisecond by who let the call in, and not lengthened here.
 *
 * @throws the last failure after eight attempts, and at once what the attempt itself throws
 */
export async function untilItWorks<T>(
  attempt: () => Promise<Attempt<T>>,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<T> {
  for (let count = 1; ; count += 1) {
    const outcome = await attempt();
    if ('value' in outcome) return outcome.value;
    if (count >= MOST_ATTEMPTS) throw outcome.failure;
    if (outcome.pausedUntilMs === null) await clock.sleep(pauseMs(count), signal);
  }
}

/** Half of it fixed and half drawn. @param count attempts made */
export function pauseMs(count: number): number {
  const fullMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (count - 1));
  return fullMs * (0.5 + Math.random() / 2);
}

/** The instant that `Retry-After` names, in seconds or as a date; `null` without it. */
export function retryAfterMs(header: string | undefined | null, nowMs: number): number | null {
  if (header === undefined || header === null || header.trim() === '') return null;
  const seconds = Number(header);
  if (Number.isFinite(seconds)) return nowMs + Math.max(0, seconds) * 1_000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : date;
}

/** A connection that broke or gave no answer in time. @param what the call: `GET /users/…` */
export function unreachable(what: string, cause: unknown): EngineError {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const reason = inner instanceof Error ? inner.message : String(inner);
  return new EngineError(
    'source-unreachable',
    `Microsoft 365 did not answer ${what}: ${reason}. Check this machine’s way to the internet; the next run goes on from here.`,
    { cause, isRetryable: true },
  );
}

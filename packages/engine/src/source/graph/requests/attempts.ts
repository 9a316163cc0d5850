import { EngineError } from '../../../model/engine-error.ts';
import type { Clock } from '../clock.ts';

/** Attempts at a call that fails in a way that may pass. Those that the vendor asked to make later do not count. */
export const MOST_ATTEMPTS = 8;
/** For so long a call is made again when the vendor wants it; then the reading goes on elsewhere, or in the next run. */
export const LONGEST_WAIT_MS = 15 * 60_000;
/** The latest instant that a `Date` can express; a pause beyond it never ends. */
const LATEST_MS = 8.64e15;
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
 * @throws the last failure after the most attempts (eight, unless the caller waits for the answer) or a quarter of an hour of pauses, and at once what the attempt itself throws
 */
export async function untilItWorks<T>(
  attempt: () => Promise<Attempt<T>>,
  clock: Clock,
  signal: AbortSignal | undefined,
  attemptsMax: number = MOST_ATTEMPTS,
): Promise<T> {
  const waiting = new Waiting(clock);
  for (let count = 0; ; ) {
    const outcome = await attempt();
    if ('value' in outcome) return outcome.value;
    // An instant in the past is no pause: a caller that obeyed it would ask without end.
    if (outcome.pausedUntilMs !== null && outcome.pausedUntilMs > clock.now()) {
      const late = waiting.tooLong(outcome.pausedUntilMs, outcome.failure);
      if (late !== null) throw late;
      continue;
    }
    count += 1;
    if (count >= attemptsMax) throw outcome.failure;
    await clock.sleep(pauseMs(count), signal);
  }
}

/** How long a call has been put off by the vendor. */
export class Waiting {
  private readonly clock: Clock;
  private sinceMs: number | null = null;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** @returns that it is too long in all to be put off once more; else `null` */
  tooLong(ms: number, failure: EngineError): EngineError | null {
    const now = this.clock.now();
    this.sinceMs ??= now;
    if (Math.max(ms, now) - this.sinceMs <= LONGEST_WAIT_MS) return null;
    return putOff(ms, failure);
  }
}

/** The error for a pause that is longer than the longest wait. */
export function putOff(ms: number, cause?: EngineError): EngineError {
  const until = new Date(Math.min(ms, LATEST_MS)).toISOString();
  const message = `Microsoft 365 wants to be asked again at ${until} only, and was waited for as long as ${LONGEST_WAIT_MS / 60_000} minutes at most: the next run goes on from here. ${cause?.message ?? ''}`;
  return new EngineError('source-unreachable', message.trim(), {
    isRetryable: true,
    ...(cause === undefined ? {} : { cause }),
  });
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
  if (Number.isFinite(seconds)) return Math.min(LATEST_MS, nowMs + Math.max(0, seconds) * 1_000);
  const date = Date.parse(header);
  return Number.isNaN(date) ? null : date;
}

/** A connection that broke or gave no answer in time. @param what the call: `GET /users/…` */
export function unreachable(what: string, cause: unknown): EngineError {
  // Where a name has several addresses and none answers, each has an error of its own.
  const inner: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  const reason = inner instanceof Error ? inner.message : String(inner);
  return new EngineError(
    'source-unreachable',
    `Microsoft 365 did not answer ${what}: ${reason}. Check this machine’s way to the internet; the next run goes on from here.`,
    { cause, isRetryable: true },
  );
}

import pRetry from 'p-retry';
import { EngineError } from '../../model/engine-error.ts';

/** How often and how long something is tried again. */
export interface RetryPolicy {
  /** After the first attempt. */
  retries: number;
  /** Before the first repetition; doubled each time, up to `longestMs`, and lengthened by up to as much again at random. */
  firstWaitMs: number;
  longestMs: number;
}

/** About two minutes in all: a server that is restarted is back by then. */
const PATIENT: RetryPolicy = { retries: 7, firstWaitMs: 500, longestMs: 30_000 };

/**
 * Does something again for as long as it fails with a retryable `EngineError`, and throws the last error. Waiting times differ at
 * random, so that many programs that a server has turned away do not all come back at once.
 */
export async function withRetries<Result>(
  work: (attempt: number) => Promise<Result>,
  { retries, firstWaitMs, longestMs }: RetryPolicy = PATIENT,
): Promise<Result> {
  return pRetry(work, {
    retries,
    minTimeout: firstWaitMs,
    maxTimeout: longestMs,
    factor: 2,
    randomize: true,
    shouldRetry: ({ error }) => error instanceof EngineError && error.isRetryable,
  });
}

import { setTimeout as sleepFor } from 'node:timers/promises';

/** Time as the connection sees it; a test brings its own. */
export interface Clock {
  /** The clock that this one only watches: both show one time, and what is counted by it is counted together. */
  readonly of?: Clock;
  /** Milliseconds since 1970. */
  now(): number;
  /** @throws the reason of the signal when it is aborted */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
  /** Of a clock that reports waits: what is asked by it waits until then, while another call sleeps. */
  onWait?(untilMs: number): void;
}

/** A longer timer of Node goes off at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    try {
      for (let leftMs = ms; leftMs > 0; leftMs -= LONGEST_TIMER_MS)
        await sleepFor(Math.min(leftMs, LONGEST_TIMER_MS), undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
};

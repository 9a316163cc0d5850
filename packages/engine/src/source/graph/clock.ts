import { setTimeout as sleepFor } from 'node:timers/promises';

/** Time as the connection sees it; a test brings its own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** @throws the reason of the signal when it is aborted */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    try {
      await sleepFor(ms, undefined, signal === undefined ? {} : { signal });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
};

import type { Clock } from './clock.ts';

/**
 * Calls that wait while another one sleeps: for a place that it has, or for a sign-in that it makes for all. They may belong to other pieces of
 * work than the one that sleeps, and each of these reports that it waits.
 */
export class SharedWaits {
  private readonly waiting = new Set<{ clock: Clock }>();
  private untilMs = Number.NEGATIVE_INFINITY;

  /** Sleeps by the caller's clock, and lets all that wait report it. */
  sleep(ms: number, clock: Clock, signal: AbortSignal | undefined): Promise<void> {
    this.untilMs = Math.max(this.untilMs, clock.now() + ms);
    for (const one of this.waiting) one.clock.onWait?.(this.untilMs);
    return clock.sleep(ms, signal);
  }

  /** Waits for what may sleep, or sleeps already. @param clock the caller's */
  async during<T>(clock: Clock, ended: Promise<T>): Promise<T> {
    const one = { clock };
    this.waiting.add(one);
    clock.onWait?.(this.untilMs);
    try {
      return await ended;
    } finally {
      this.waiting.delete(one);
    }
  }
}

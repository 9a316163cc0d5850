import { type Clock, systemClock } from '@keepwatch/engine/source/graph/clock';

/** Shorter waits are waited for. */
const LEAST_MS = 1_000;

/**
 * A clock for a connection and a tenant together: who has to wait for a budget sets both forward instead. So the limits of the vendor,
 * such as 10,000 requests to a mailbox in ten minutes, are obeyed exactly in the tenant's time, on both sides, and take none of ours.
 */
export class HastenedClock implements Clock {
  private readonly advanceTenant: (ms: number) => Promise<void>;
  private aheadMs = 0;
  private last: Promise<void> = Promise.resolve();

  constructor(advanceTenant: (ms: number) => Promise<void>) {
    this.advanceTenant = advanceTenant;
  }

  now(): number {
    return Date.now() + this.aheadMs;
  }

  async sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (ms < LEAST_MS) return systemClock.sleep(ms, signal);
    await this.setForward(ms);
  }

  /** Those who wait at the same time wait together. */
  setForward(ms: number): Promise<void> {
    const untilMs = this.now() + ms;
    this.last = this.last.then(async () => {
      const leftMs = Math.ceil(untilMs - this.now());
      if (leftMs <= 0) return;
      await this.advanceTenant(leftMs);
      this.aheadMs += leftMs;
    });
    return this.last;
  }
}

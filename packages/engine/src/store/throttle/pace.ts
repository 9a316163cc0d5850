import { setTimeout as wait } from 'node:timers/promises';

/** What a pace is measured by; a test brings its own. */
export interface PaceClock {
  nowMs(): number;
  wait(ms: number): Promise<unknown>;
}

const CLOCK: PaceClock = { nowMs: () => performance.now(), wait: (ms) => wait(ms) };

/**
 * Bytes per second. Each call goes at the time at which all before it are paid for: so the mean is correct whatever the sizes, and nothing
 * is saved up while there are no calls.
 */
export class Pace {
  private readonly bytesPerSecond: number | null;
  private readonly clock: PaceClock;
  private freeAtMs = 0;

  /** @param bytesPerSecond null for no limit */
  constructor(bytesPerSecond: number | null, clock: PaceClock = CLOCK) {
    this.bytesPerSecond = bytesPerSecond;
    this.clock = clock;
  }

  /** Waits until these bytes may go. */
  async spend(bytes: number): Promise<void> {
    const waitMs = this.freeAtMs - this.clock.nowMs();
    this.owe(bytes);
    if (waitMs > 0) await this.clock.wait(waitMs);
  }

  /** Bytes that have gone already. */
  owe(bytes: number): void {
    if (this.bytesPerSecond === null) return;
    this.freeAtMs = Math.max(this.freeAtMs, this.clock.nowMs()) + (bytes / this.bytesPerSecond) * 1_000;
  }
}

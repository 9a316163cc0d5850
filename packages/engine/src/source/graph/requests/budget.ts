import { onAbort } from '../../../model/on-abort.ts';
import type { Clock } from '../clock.ts';
import { SharedWaits } from '../shared-waits.ts';
import { LONGEST_WAIT_MS, putOff } from './attempts.ts';
import type { RollingCount } from './rolling-count.ts';

export interface BudgetLimits {
  /** Requests under way at one time. */
  atOnce: number;
  /** Windows that count requests. */
  requests: readonly RollingCount[];
  /** Windows that count what requests cost, such as SharePoint's resource units. */
  units: readonly RollingCount[];
}

export interface Cost {
  requests: number;
  units: number;
}

/** What one application may still ask of one mailbox or workload. Waiting calls enter in the order of their arrival. */
export class Budget {
  private readonly limits: BudgetLimits;
  private readonly clock: Clock;
  private readonly line: (() => void)[] = [];
  private readonly waits = new SharedWaits();
  private inFlight = 0;
  private pausedUntilMs = 0;

  constructor(limits: BudgetLimits, clock: Clock) {
    this.limits = limits;
    this.clock = clock;
  }

  /** How loaded it is: who compares two takes the lower. */
  get load(): number {
    const pausedMs = Math.max(0, this.pausedUntilMs - this.clock.now());
    return pausedMs + (this.inFlight + this.line.length) / this.limits.atOnce;
  }

  /** Places that no call waits for. */
  get freePlaces(): number {
    return Math.max(0, this.limits.atOnce - this.inFlight - this.line.length);
  }

  /**
   * Waits for a place, then for the end of a pause and for room in every window.
   * @param clock the caller's, which reports its long waits
   * @returns what gives the place back
   * @throws the reason of the signal when it is aborted meanwhile; EngineError `source-unreachable` for a pause that is too long to be waited
   *   for
   */
  async enter(cost: Cost, signal: AbortSignal | undefined, clock: Clock = this.clock): Promise<() => void> {
    await this.waits.during(clock, this.place(signal));
    try {
      for (let waitMs = this.waitMs(cost); waitMs > 0; waitMs = this.waitMs(cost)) {
        // A pause that is too long to wait for fails the next call, and is not shortened.
        if (this.pausedUntilMs - this.clock.now() > LONGEST_WAIT_MS) throw putOff(this.pausedUntilMs);
        await this.waits.sleep(waitMs, clock, signal);
      }
    } catch (error) {
      this.leave();
      throw error;
    }
    const now = this.clock.now();
    for (const count of this.limits.requests) count.add(cost.requests, now);
    for (const count of this.limits.units) count.add(cost.units, now);
    let isIn = true;
    return () => {
      if (isIn) this.leave();
      isIn = false;
    };
  }

  /** Lets no call enter before the instant that `Retry-After` asked for. */
  pauseUntil(ms: number): void {
    this.pausedUntilMs = Math.max(this.pausedUntilMs, ms);
  }

  private waitMs({ requests, units }: Cost): number {
    const now = this.clock.now();
    return Math.max(
      this.pausedUntilMs - now,
      ...this.limits.requests.map((count) => count.waitMs(requests, now)),
      ...this.limits.units.map((count) => count.waitMs(units, now)),
    );
  }

  private async place(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.inFlight < this.limits.atOnce) {
      this.inFlight += 1;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        this.line.splice(this.line.indexOf(enter), 1);
        reject(signal?.reason);
      };
      const stay = signal === undefined ? undefined : onAbort(signal, giveUp);
      const enter = () => {
        stay?.();
        resolve();
      };
      this.line.push(enter);
    });
  }

  private leave(): void {
    const next = this.line.shift();
    if (next === undefined) this.inFlight -= 1;
    else next();
  }
}

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
  /** Of the requests that may be under way at one time, all of them at most; default: one. */
  places?: number;
}

/**
 * Several places cannot be had, since a stream retains one for as long as its reader takes. To wait for it could be to wait for ever: the reader
 * may wait for another stream, which waits behind in the line.
 */
export class PlaceRetained extends Error {
  constructor() {
    super('A stream retains a place of the budget: ask with one place.');
  }
}

interface Waiting {
  places: number;
  enter(): void;
  turnAway(reason: unknown): void;
}

/** What one application may still ask of one mailbox or workload. Waiting calls enter in the order of their arrival. */
export class Budget {
  private readonly limits: BudgetLimits;
  private readonly clock: Clock;
  private readonly line: Waiting[] = [];
  private readonly waits = new SharedWaits();
  private inFlight = 0;
  private retained = 0;
  private pausedUntilMs = 0;

  constructor(limits: BudgetLimits, clock: Clock) {
    this.limits = limits;
    this.clock = clock;
  }

  /** How loaded it is: who compares two takes the lower. */
  get load(): number {
    const pausedMs = Math.max(0, this.pausedUntilMs - this.clock.now());
    return pausedMs + (this.inFlight + this.waitedFor) / this.limits.atOnce;
  }

  /** Places that no call waits for. */
  get freePlaces(): number {
    return Math.max(0, this.limits.atOnce - this.inFlight - this.waitedFor);
  }

  private get waitedFor(): number {
    return this.line.reduce((sum, { places }) => sum + places, 0);
  }

  /**
   * Waits for its places, then for the end of a pause and for room in every window.
   * @param clock the caller's, which reports its long waits
   * @returns what gives the places back
   * @throws the reason of the signal when it is aborted meanwhile; EngineError `source-unreachable` for a pause that is too long to be waited
   *   for; PlaceRetained for several places while a stream retains one
   */
  async enter(cost: Cost, signal: AbortSignal | undefined, clock: Clock = this.clock): Promise<() => void> {
    const places = Math.min(cost.places ?? 1, this.limits.atOnce);
    await this.waits.during(clock, this.place(places, signal));
    try {
      for (let waitMs = this.waitMs(cost); waitMs > 0; waitMs = this.waitMs(cost)) {
        // A pause that is too long to wait for fails the next call, and is not shortened.
        if (this.pausedUntilMs - this.clock.now() > LONGEST_WAIT_MS) throw putOff(this.pausedUntilMs);
        await this.waits.sleep(waitMs, clock, signal);
      }
    } catch (error) {
      this.leave(places);
      throw error;
    }
    const now = this.clock.now();
    for (const count of this.limits.requests) count.add(cost.requests, now);
    for (const count of this.limits.units) count.add(cost.units, now);
    let isIn = true;
    return () => {
      if (isIn) this.leave(places);
      isIn = false;
    };
  }

  /**
   * Says that a place is given back only when a stream was read.
   * @returns what says that it was
   */
  retain(): () => void {
    this.retained += 1;
    for (const waiting of this.line.filter(({ places }) => places > 1)) waiting.turnAway(new PlaceRetained());
    let isRetained = true;
    return () => {
      if (isRetained) this.retained -= 1;
      isRetained = false;
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

  private async place(places: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (places > 1 && this.retained > 0) throw new PlaceRetained();
    await new Promise<void>((resolve, reject) => {
      const leaveLine = (reason: unknown) => {
        this.line.splice(this.line.indexOf(waiting), 1);
        reject(reason);
        this.admit();
      };
      const stay = signal === undefined ? undefined : onAbort(signal, () => leaveLine(signal.reason));
      const waiting: Waiting = {
        places,
        enter: () => {
          stay?.();
          resolve();
        },
        turnAway: (reason) => {
          stay?.();
          leaveLine(reason);
        },
      };
      this.line.push(waiting);
      this.admit();
    });
  }

  private leave(places: number): void {
    this.inFlight -= places;
    this.admit();
  }

  /** Who waits for several places is not passed: else those that need one would pass for ever. */
  private admit(): void {
    for (let [next] = this.line; next !== undefined; [next] = this.line) {
      if (this.inFlight + next.places > this.limits.atOnce) return;
      this.line.shift();
      this.inFlight += next.places;
      next.enter();
    }
  }
}

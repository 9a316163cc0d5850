import { setTimeout as wait } from 'node:timers/promises';
import type { GraphOptions } from '@keepwatch/engine/engine';

/** A second of ours is two minutes of it: a night's run of two seconds lasts four minutes there, as it would with a tenant that is far away. */
const HASTE = 120;

/**
 * A clock that begins in the past, and is set forward from one instant to the next. Between them it is held, or runs faster than ours until it has reached
 * the present: what changes after a night of an hour ago must not be before the end of that night's run, where the next run begins.
 */
export class HastenedClock implements NonNullable<GraphOptions['clock']> {
  private atMs: number;
  private runsSinceMs: number | null = null;

  constructor(at: Date) {
    this.atMs = at.getTime();
  }

  /** Sets it to an instant, at which it stays. */
  hold(at: Date): void {
    this.atMs = at.getTime();
    this.runsSinceMs = null;
  }

  /** Lets it run from an instant on. */
  runFrom(at: Date): void {
    this.atMs = at.getTime();
    this.runsSinceMs = performance.now();
  }

  now(): number {
    return Math.min(this.hastenedMs(), Date.now());
  }

  async sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    const haste = this.hastenedMs() < Date.now() ? HASTE : 1;
    await wait(ms / haste, undefined, signal === undefined ? {} : { signal });
  }

  private hastenedMs(): number {
    const ranMs = this.runsSinceMs === null ? 0 : performance.now() - this.runsSinceMs;
    return Math.round(this.atMs + ranMs * HASTE);
  }
}

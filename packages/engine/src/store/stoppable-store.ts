import { cleanedUp, GRACE_MS, listedUntil, orStopped } from '../model/stoppable.ts';
import type { CreateOptions, ObjectFacts, ObjectStore, OnForeign } from './object-store.ts';
import { WrappedStore } from './wrapped-store.ts';

/**
 * A store for a piece of work that can be stopped, whatever the store does. Reading ends with the signal, at once. Writing goes on: what does not answer
 * within a moment after the signal is left under way, and the caller does not learn whether it was stored, as if the process had died there. A store
 * that did not answer once is asked to write nothing more.
 */
export class StoppableStore extends WrappedStore {
  readonly signal: AbortSignal;
  /** Whether the work has left a write before it ended: the store does not answer. */
  hasLeftWrites = false;
  /** Writes that have not ended, whether they are waited for or were left. */
  private readonly underWay = new Map<Promise<unknown>, WriteUnderWay>();
  /** For how long writes are waited for after the signal, all of them together; what ran side by side counts once. */
  private graceMs = GRACE_MS;
  private countedMs = 0;

  constructor(store: ObjectStore, signal: AbortSignal) {
    super(store);
    this.signal = signal;
  }

  /** The same store for a part of the work that ends with another signal as well. */
  until(signal: AbortSignal): StoppableStore {
    return signal === this.signal ? this : new StoppableStore(this.store, AbortSignal.any([this.signal, signal]));
  }

  /** The store without a signal, for what has to come to its end whatever becomes of the work. */
  get unstopped(): ObjectStore {
    return this.store;
  }

  /** Resolves when no write is under way any more, also none that the work has left. */
  async writesEnded(): Promise<void> {
    while (this.underWay.size > 0) await Promise.allSettled(this.underWay.keys());
  }

  get writesUnderWay(): readonly WriteUnderWay[] {
    return [...this.underWay.values()];
  }

  override create(name: string, bytes: Uint8Array, options?: CreateOptions): Promise<boolean> {
    return this.write('create', name, () => this.store.create(name, bytes, options));
  }

  override read(name: string): Promise<Buffer> {
    return this.ask(() => this.store.read(name));
  }

  override readRange(name: string, start: number, length: number): Promise<Buffer> {
    return this.ask(() => this.store.readRange(name, start, length));
  }

  override async *list(prefix: string, onForeign?: OnForeign): AsyncGenerator<ObjectFacts> {
    this.signal.throwIfAborted();
    yield* listedUntil(this.store.list(prefix, onForeign), this.signal);
  }

  override delete(name: string): Promise<void> {
    return this.write('delete', name, () => this.store.delete(name));
  }

  get lockDays(): number | undefined {
    return this.store.lockDays;
  }

  lockedUntil(name: string): Promise<Date | null> {
    return this.ask(async () => (await this.store.lockedUntil?.(name)) ?? null);
  }

  extendLock(name: string, until: Date): Promise<void> {
    return this.write('extendLock', name, async () => this.store.extendLock?.(name, until));
  }

  now(): Date {
    return this.store.now?.() ?? new Date();
  }

  private async ask<Result>(begin: () => Promise<Result>): Promise<Result> {
    this.signal.throwIfAborted();
    return orStopped(begin(), this.signal);
  }

  private async write<Result>(
    operation: WriteUnderWay['operation'],
    name: string,
    begin: () => Promise<Result>,
  ): Promise<Result> {
    if (this.hasLeftWrites) throw this.signal.reason;
    const writing = begin().finally(() => this.underWay.delete(writing));
    this.underWay.set(writing, { operation, name });
    const waited = new WaitAfter(this.signal);
    try {
      return await cleanedUp(this.signal, (late) => orStopped(writing, late), this.graceMs);
    } finally {
      this.count(waited.end());
      if (this.underWay.has(writing)) this.hasLeftWrites = true;
    }
  }

  private count(fromMs: number): void {
    const nowMs = performance.now();
    this.graceMs = Math.max(0, this.graceMs - Math.max(0, nowMs - Math.max(fromMs, this.countedMs)));
    this.countedMs = nowMs;
  }
}

export interface WriteUnderWay {
  operation: 'create' | 'delete' | 'extendLock';
  name: string;
}

/** Something that is waited for. */
class WaitAfter {
  private readonly signal: AbortSignal;
  private fromMs = Number.POSITIVE_INFINITY;

  constructor(signal: AbortSignal) {
    this.signal = signal;
    signal.addEventListener('abort', this.begin, { once: true });
    if (signal.aborted) this.begin();
  }

  /** @returns since when it was waited for after the signal */
  end(): number {
    this.signal.removeEventListener('abort', this.begin);
    return this.fromMs;
  }

  private readonly begin = () => {
    this.fromMs = performance.now();
  };
}

import pLimit, { type LimitFunction } from 'p-limit';
import type { CreateOptions, ObjectFacts, ObjectStore, OnForeign } from '../object-store.ts';
import { Pace } from './pace.ts';

export interface ThrottleLimits {
  /** Calls under way at the same time. */
  requestsAtOnce: number;
  /** Up and down together, over the time of several objects. Null: as fast as it goes. */
  bytesPerSecond: number | null;
}

/** A store that is asked for no more than so much at a time. Lists count as a request a page for stores, not here: they are few. */
export class ThrottleStore implements ObjectStore {
  readonly description: string;
  private readonly store: ObjectStore;
  private readonly limit: LimitFunction;
  private readonly pace: Pace;

  constructor(store: ObjectStore, { requestsAtOnce, bytesPerSecond }: ThrottleLimits, pace?: Pace) {
    this.store = store;
    this.limit = pLimit(requestsAtOnce);
    this.pace = pace ?? new Pace(bytesPerSecond);
    this.description = store.description;
  }

  async create(name: string, bytes: Uint8Array, options?: CreateOptions): Promise<boolean> {
    return this.limit(async () => {
      await this.pace.spend(bytes.length);
      return this.store.create(name, bytes, options);
    });
  }

  /** The size of a whole object is known when it is there: the next call waits for it. */
  async read(name: string): Promise<Buffer> {
    return this.limit(async () => {
      await this.pace.spend(0);
      const bytes = await this.store.read(name);
      this.pace.owe(bytes.length);
      return bytes;
    });
  }

  async readRange(name: string, start: number, length: number): Promise<Buffer> {
    return this.limit(async () => {
      await this.pace.spend(length);
      return this.store.readRange(name, start, length);
    });
  }

  list(prefix: string, onForeign?: OnForeign): AsyncIterable<ObjectFacts> {
    return this.store.list(prefix, onForeign);
  }

  async delete(name: string): Promise<void> {
    return this.limit(() => this.store.delete(name));
  }

  get lockDays(): number | undefined {
    return this.store.lockDays;
  }

  async lockedUntil(name: string): Promise<Date | null> {
    return this.limit(async () => (await this.store.lockedUntil?.(name)) ?? null);
  }

  async extendLock(name: string, until: Date): Promise<void> {
    await this.limit(async () => this.store.extendLock?.(name, until));
  }

  now(): Date {
    return this.store.now?.() ?? new Date();
  }

  async close(): Promise<void> {
    return this.store.close();
  }
}

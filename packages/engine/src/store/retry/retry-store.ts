import type { CreateOptions, ObjectFacts, ObjectStore, OnForeign } from '../object-store.ts';
import { type RetryPolicy, withRetries } from './with-retries.ts';

/**
 * A store that repeats what failed with a retryable error. Calls are repeated whole, except for a list, which goes on after the last
 * object it has given.
 */
export class RetryStore implements ObjectStore {
  readonly description: string;
  private readonly store: ObjectStore;
  private readonly policy: RetryPolicy | undefined;

  constructor(store: ObjectStore, policy?: RetryPolicy) {
    this.store = store;
    this.policy = policy;
    this.description = store.description;
  }

  /**
   * An attempt that failed may have stored the object all the same. So where a later one finds the name in use, the bytes decide: they
   * are random enough (sealed, or named by their own hash) to show whose they are.
   */
  async create(name: string, bytes: Uint8Array, options?: CreateOptions): Promise<boolean> {
    return this.again(async (attempt) => {
      if (await this.store.create(name, bytes, options)) return true;
      return attempt > 1 && (await this.store.read(name)).equals(bytes);
    });
  }

  async read(name: string): Promise<Buffer> {
    return this.again(() => this.store.read(name));
  }

  async readRange(name: string, start: number, length: number): Promise<Buffer> {
    return this.again(() => this.store.readRange(name, start, length));
  }

  async *list(prefix: string, onForeign?: OnForeign): AsyncIterable<ObjectFacts> {
    let last = '';
    const list = () => this.store.list(prefix, onForeign)[Symbol.asyncIterator]();
    let listed = list();
    try {
      for (;;) {
        const next = await this.again(async (attempt) => {
          if (attempt > 1) listed = list();
          return nextAfter(listed, last);
        });
        if (next.done === true) return;
        last = next.value.name;
        yield next.value;
      }
    } finally {
      await listed.return?.();
    }
  }

  async delete(name: string): Promise<void> {
    return this.again(() => this.store.delete(name));
  }

  get lockDays(): number | undefined {
    return this.store.lockDays;
  }

  async lockedUntil(name: string): Promise<Date | null> {
    return this.again(async () => (await this.store.lockedUntil?.(name)) ?? null);
  }

  async extendLock(name: string, until: Date): Promise<void> {
    await this.again(async () => this.store.extendLock?.(name, until));
  }

  now(): Date {
    return this.store.now?.() ?? new Date();
  }

  async close(): Promise<void> {
    return this.store.close();
  }

  private async again<Result>(work: (attempt: number) => Promise<Result>): Promise<Result> {
    return withRetries(work, this.policy);
  }
}

/** A list that began again returns earlier names once more: names are in order, so they are skipped. */
async function nextAfter(listed: AsyncIterator<ObjectFacts>, last: string): Promise<IteratorResult<ObjectFacts>> {
  let next = await listed.next();
  while (next.done !== true && next.value.name <= last) next = await listed.next();
  return next;
}

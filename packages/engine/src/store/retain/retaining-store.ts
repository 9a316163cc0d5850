import type { CreateOptions, ObjectStore } from '../object-store.ts';
import { WrappedStore } from '../wrapped-store.ts';

const DAY_MS = 86_400_000;

/**
 * What a repository is made of (format, 1). Locks and claims say who works now, and are deleted minutes after they were written: to lock
 * these would keep everybody out.
 */
const LASTING = /^(?:keepwatch-repository$|keys\/|generations\/|losses\/|packs\/|journals\/|segments\/)/;

/** A store whose lasting objects cannot be deleted for some days after they were written, not even with its keys. */
export class RetainingStore extends WrappedStore {
  readonly lockDays: number;

  constructor(store: ObjectStore, days: number) {
    super(store);
    this.lockDays = days;
  }

  override create(name: string, bytes: Uint8Array, options: CreateOptions = {}): Promise<boolean> {
    if (!LASTING.test(name)) return this.store.create(name, bytes, options);
    return this.store.create(name, bytes, { ...options, retainUntil: this.retainUntil() });
  }

  /** By the clock of the store: a lock that a wrong clock made years too long cannot be lifted. */
  private retainUntil(): Date {
    const now = this.store.now?.() ?? new Date();
    return new Date(now.getTime() + this.lockDays * DAY_MS);
  }

  async lockedUntil(name: string): Promise<Date | null> {
    return (await this.store.lockedUntil?.(name)) ?? null;
  }

  async extendLock(name: string, until: Date): Promise<void> {
    await this.store.extendLock?.(name, until);
  }

  now(): Date {
    return this.store.now?.() ?? new Date();
  }
}

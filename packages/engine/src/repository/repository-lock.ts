import { setTimeout } from 'node:timers/promises';
import { EngineError } from '../model/engine-error.ts';
import { cleanedUp, orStopped } from '../model/stoppable.ts';
import { hasObject } from '../store/has-object.ts';
import type { ObjectFacts, ObjectStore } from '../store/object-store.ts';
import { StoppableStore } from '../store/stoppable-store.ts';
import { isHarmlessLate } from './late-writes.ts';
import {
  beyondWork,
  type Claim,
  deleteLock,
  fallOf,
  type Holder,
  isDead,
  LOCK_TIMES,
  type LockPlace,
  type LockTimes,
  readHolder,
  settledLocks,
  writeLock,
} from './lock-objects.ts';
import { isGone } from './machine.ts';
import type { LockWait, RepositoryLock } from './repository.ts';

/** How soon, and how seldom at last, who waits for a lock looks whether it is free: each look is some requests. */
const LOOK_AGAIN_MS = 200;
const LOOK_AGAIN_MAX_MS = 10_000;

/**
 * Acquires a lock, and renews it until it is released (format, 8). It does not wait, unless it is said how long: an exclusive one stays
 * written meanwhile, so that others queue behind it.
 * @throws `locked` with the holder's name; the reason of a signal that is aborted meanwhile
 */
export async function takeLock(
  place: LockPlace,
  kind: Holder['kind'],
  run: string | null = null,
  { forMs = 0, signal, onWait }: LockWait = {},
): Promise<RepositoryLock> {
  const claim: Claim = { kind, run, at: new Date().toISOString() };
  const until = performance.now() + forMs;
  let lookMs = LOOK_AGAIN_MS;
  for (let lock = await HeldLock.acquire(place, claim), isFirst = true; ; isFirst = false) {
    try {
      await lock.assertNoConflict();
      return lock;
    } catch (error) {
      const waits = error instanceof Excluded && performance.now() < until && (kind === 'shared' || !error.isExclusive);
      // An exclusive lock that waits would wait for this one.
      if (!waits || kind === 'shared') await lock.release();
      if (!waits) throw error;
      if (isFirst) onWait?.(error.message);
    }
    await pause(lock, lookMs, signal);
    lookMs = Math.min(lookMs * 1.5, LOOK_AGAIN_MAX_MS);
    if (kind === 'shared') lock = await HeldLock.acquire(place, claim);
  }
}

async function pause(lock: HeldLock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await setTimeout(ms, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    await lock.release();
    throw signal?.aborted === true ? signal.reason : error;
  }
}

class HeldLock implements RepositoryLock {
  readonly kind: Holder['kind'];
  storeTime = new Date(0);
  skewMs = 0;
  private readonly place: LockPlace;
  private readonly times: LockTimes;
  private readonly timer: NodeJS.Timeout;
  private readonly claim: Claim;
  /** Every name it had: a list may still show an earlier one. */
  private readonly names = new Set<string>();
  private own: string;
  private readonly writtenMs = Date.now();
  private renewedMs = Date.now();
  private renewing: Promise<void> = Promise.resolve();
  private isLost = false;
  /** Since when it is there only for what its work has left under way. */
  private releasedMs: number | null = null;

  static async acquire(place: LockPlace, claim: Claim): Promise<HeldLock> {
    return new HeldLock(place, claim, await writeLock(place, claim));
  }

  private constructor(place: LockPlace, claim: Claim, own: string) {
    this.kind = claim.kind;
    this.place = place;
    this.times = place.times ?? LOCK_TIMES;
    this.own = own;
    this.names.add(own);
    this.claim = claim;
    this.timer = setInterval(() => {
      this.renewing = this.renewing.then(() => this.renew());
    }, this.times.renewMs);
    this.timer.unref();
  }

  /** Looks at all locks after the own one was written: of two that exclude each other, at least one sees the other. */
  async assertNoConflict(): Promise<void> {
    for (;;) {
      const locks = await settledLocks(this.place.store);
      const own = locks.find(({ name }) => this.names.has(name));
      // The store's clock, as the object that was just written shows it: those of other machines may differ.
      const now = own?.createdAt ?? new Date();
      if (own !== undefined) this.learnTime(own);
      const others = locks.filter(({ name }) => !this.names.has(name));
      let isSettled = true;
      for (const other of others)
        if (!(await assertNoConflictWith(this.place, this.kind, other, now))) isSettled = false;
      if (isSettled) return;
    }
  }

  check(): void {
    // Compared when it counts, not by a timer: a process or a machine that stood still wakes up believing that no time has passed.
    const { renewMs, deadMs } = this.times;
    if (!this.isLost && Date.now() - this.renewedMs < deadMs - renewMs) return;
    throw new EngineError(
      'locked',
      `The lock in ${this.place.store.description} could not be renewed in time, and others may take it for dead. Start again.`,
      { isRetryable: true },
    );
  }

  async confirm(): Promise<void> {
    const { store } = this.place;
    await orStopped(this.renewing, store instanceof StoppableStore ? store.signal : undefined);
    await this.look(store);
  }

  /** Work that was stopped waits for it a moment only, and not at all where its store does not answer. */
  async release(): Promise<void> {
    const { store } = this.place;
    const releasing = this.giveBack();
    if (!(store instanceof StoppableStore)) return releasing;
    if (store.hasLeftWrites) return;
    await cleanedUp(store.signal, (late) => orStopped(releasing, late)).catch(() => undefined);
  }

  /** Never fails: what cannot be deleted now is dead in half an hour at the latest, and the work it was for is done either way. */
  private async giveBack(): Promise<void> {
    const { store } = this.place;
    this.releasedMs ??= Date.now();
    if (store instanceof StoppableStore) await store.writesEnded();
    clearInterval(this.timer);
    await this.renewing;
    await deleteLock(store, this.own).catch(() => undefined);
  }

  /**
   * Whether it need not be renewed: the work has ended, and what it left in a store that does not answer does no harm beside others. So it keeps others
   * out for no longer than twice the time in which it dies. One that is exclusive stays: what others write now would not know what it decided.
   */
  private get mayFall(): boolean {
    const { kind, releasedMs, times } = this;
    const { store } = this.place;
    if (kind === 'exclusive' || releasedMs === null || Date.now() - releasedMs < times.deadMs) return false;
    return store instanceof StoppableStore && store.writesUnderWay.every(isHarmlessLate);
  }

  private learnTime({ createdAt }: ObjectFacts): void {
    if (this.storeTime.getTime() > 0) return;
    this.storeTime = createdAt;
    this.skewMs = this.writtenMs - createdAt.getTime();
  }

  private async look(store: ObjectStore): Promise<void> {
    if (!(await hasObject(store, this.own))) this.isLost = true;
    this.check();
  }

  /** A failure is not the end: six renewals may fail before others presume the lock dead, and `check` reports it before that. */
  private async renew(): Promise<void> {
    if (this.mayFall) return;
    const store = beyondWork(this.place.store);
    try {
      // A process that presumed it dead has deleted it, and may have begun what it excludes: a new one would bring nothing back.
      await this.look(store);
      const before = this.own;
      this.own = await writeLock({ ...this.place, store }, this.claim);
      this.names.add(this.own);
      this.renewedMs = Date.now();
      await store.delete(before);
    } catch {
      // The next renewal, or `check`, meets the same.
    }
  }
}

/**
 * @returns `false` when the lock is gone since it was listed: given back, or renewed under another name. Then all are to be listed again
 * @throws `locked` when it excludes the own one
 */
async function assertNoConflictWith(
  { store, keys }: LockPlace,
  kind: Holder['kind'],
  { name, createdAt }: ObjectFacts,
  now: Date,
): Promise<boolean> {
  const holder = isDead(createdAt, now) ? 'dead' : await readHolder(store, keys, name);
  if (holder === null) return false;
  if (holder === 'dead' || isDead(createdAt, now, holder) || isGone(holder)) await store.delete(name);
  else if (kind === 'exclusive' || holder.kind === 'exclusive')
    throw excludedBy(holder, store, fallOf(createdAt, holder));
  return true;
}

/** Another lock excludes this one. */
class Excluded extends EngineError {
  readonly isExclusive: boolean;

  constructor(message: string, isExclusive: boolean) {
    super('locked', message, { isRetryable: true });
    this.isExclusive = isExclusive;
  }
}

function excludedBy({ kind, program, host, process: id, at }: Holder, store: ObjectStore, fallsAt: Date): Excluded {
  const work = kind === 'exclusive' ? 'prunes, or waits for its turn to do so,' : 'is backing up';
  const text = `${program} on ${host} (process ${id}) ${work} in ${store.description} since ${at}. Try again when it has ended; should that process be gone, its lock falls at ${fallsAt.toISOString()}.`;
  return new Excluded(text, kind === 'exclusive');
}

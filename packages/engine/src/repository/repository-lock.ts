import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { EngineError } from '../model/engine-error.ts';
import type { ObjectFacts, ObjectStore } from '../store/object-store.ts';
import type { RepositoryKeys } from './keys.ts';
import type { LockHolder, RepositoryLock } from './repository.ts';
import { seal, unseal } from './sealed.ts';

const RENEW_MS = 5 * 60_000;
/** An object this old belongs to a process that is gone. Six renewals may fail before. */
const DEAD_MS = 30 * 60_000;

/** As it is written; `at` is when the lock was taken, however often it was renewed since. */
interface Holder extends Pick<LockHolder, 'kind' | 'program' | 'host' | 'process'> {
  at: string;
}

/** Where locks are kept, and under which key. */
export interface LockPlace {
  store: ObjectStore;
  keys: RepositoryKeys;
  program: string;
}

/**
 * Takes a lock, and renews it until it is released (format, 8). It waits for nobody.
 * @throws `locked` with the holder's name
 */
export async function takeLock(place: LockPlace, kind: Holder['kind']): Promise<RepositoryLock> {
  const takenAt = new Date();
  const own = await writeLock(place, kind, takenAt);
  try {
    await giveWay(place, kind, own);
  } catch (error) {
    await place.store.delete(own);
    throw error;
  }
  return new HeldLock(place, kind, own, takenAt);
}

/** Who holds locks, and until when should his process be gone. Locks that nobody may heed any more are none. */
export async function* listLocks({ store, keys }: Pick<LockPlace, 'store' | 'keys'>): AsyncGenerator<LockHolder> {
  for await (const { name, createdAt } of store.list('locks/')) {
    const holder = isDead(createdAt, new Date()) ? null : await readHolder(store, keys, name);
    if (holder === null) continue;
    const { at, ...who } = holder;
    yield { ...who, since: new Date(at), fallsAt: fallOf(createdAt) };
  }
}

const fallOf = (createdAt: Date) => new Date(createdAt.getTime() + DEAD_MS);

const isDead = (createdAt: Date, now: Date) => fallOf(createdAt) < now;

class HeldLock implements RepositoryLock {
  readonly kind: Holder['kind'];
  private readonly place: LockPlace;
  private readonly timer: NodeJS.Timeout;
  private readonly takenAt: Date;
  private own: string;
  private renewedMs = Date.now();
  private renewing: Promise<void> = Promise.resolve();

  constructor(place: LockPlace, kind: Holder['kind'], own: string, takenAt: Date) {
    this.kind = kind;
    this.place = place;
    this.own = own;
    this.takenAt = takenAt;
    this.timer = setInterval(() => {
      this.renewing = this.renewing.then(() => this.renew());
    }, RENEW_MS);
    this.timer.unref();
  }

  check(): void {
    // Compared when it counts, not by a timer: a process or a machine that stood still wakes up believing that no time has passed.
    if (Date.now() - this.renewedMs < DEAD_MS - RENEW_MS) return;
    throw new EngineError(
      'locked',
      `The lock in ${this.place.store.description} could not be renewed in time, and others may take it for dead. Start again.`,
      { isRetryable: true },
    );
  }

  async release(): Promise<void> {
    clearInterval(this.timer);
    await this.renewing;
    // What cannot be deleted now is dead in half an hour; the work it stood for is done either way.
    await this.place.store.delete(this.own).catch(() => undefined);
  }

  /** A failure is not the end: six renewals may fail before others take the lock for dead, and `check` tells before that. */
  private async renew(): Promise<void> {
    try {
      this.check();
      const before = this.own;
      this.own = await writeLock(this.place, this.kind, this.takenAt);
      this.renewedMs = Date.now();
      await this.place.store.delete(before);
    } catch {
      // The next renewal, or `check`, meets the same.
    }
  }
}

async function writeLock({ store, keys, program }: LockPlace, kind: Holder['kind'], takenAt: Date): Promise<string> {
  const name = `locks/${randomUUID()}`;
  const holder: Holder = { kind, program, host: hostname(), process: process.pid, at: takenAt.toISOString() };
  await store.create(name, await seal(keys.encryption, name, JSON.stringify(holder)));
  return name;
}

/** Looks at all locks after the own one was written: of two that exclude each other, at least one sees the other. */
async function giveWay(place: LockPlace, kind: Holder['kind'], own: string): Promise<void> {
  const locks: ObjectFacts[] = [];
  for await (const facts of place.store.list('locks/')) locks.push(facts);
  // The store's clock, as told by the object it has just taken: those of other machines may differ.
  const now = locks.find(({ name }) => name === own)?.createdAt ?? new Date();
  for (const { name, createdAt } of locks) {
    if (name === own) continue;
    if (isDead(createdAt, now)) await place.store.delete(name);
    else await refuseIfExcluded(place, kind, name, fallOf(createdAt));
  }
}

async function refuseIfExcluded(
  { store, keys }: LockPlace,
  kind: Holder['kind'],
  name: string,
  fallsAt: Date,
): Promise<void> {
  const holder = await readHolder(store, keys, name);
  if (holder === null || (kind === 'shared' && holder.kind === 'shared')) return;
  const work = holder.kind === 'exclusive' ? 'is deleting what a prune retired' : 'is backing up';
  const text = `${holder.program} on ${holder.host} (process ${holder.process}) ${work} in ${store.description} since ${holder.at}. Try again when it has ended; should that process be gone, its lock falls at ${fallsAt.toISOString()}.`;
  throw new EngineError('locked', text, { isRetryable: true });
}

/** `null` when the lock was given back meanwhile. */
async function readHolder(store: ObjectStore, keys: RepositoryKeys, name: string): Promise<Holder | null> {
  try {
    const holder: Holder = JSON.parse(await unseal(keys.encryption, name, await store.read(name)));
    return holder;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'not-found') return null;
    throw error;
  }
}

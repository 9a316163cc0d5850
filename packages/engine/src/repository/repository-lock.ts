import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { EngineError } from '../model/engine-error.ts';
import type { ObjectFacts, ObjectStore } from '../store/object-store.ts';
import type { RepositoryKeys } from './keys.ts';
import { isGone, thisMachine } from './machine.ts';
import type { LockHolder, RepositoryLock } from './repository.ts';
import { seal, unseal } from './sealed.ts';

const RENEW_MS = 5 * 60_000;
/** An object this old belongs to a process that is gone. Six renewals may fail before. */
const DEAD_MS = 30 * 60_000;

/** As it is written; `at` is when the lock was taken, however often it was renewed since. */
interface Holder extends Pick<LockHolder, 'kind' | 'program' | 'host' | 'process'> {
  at: string;
  /** The run that lives as long as this lock does. */
  run: string | null;
  /** The machine and its boot, where that can be told: beside it, anybody can see whether the process is gone. */
  machine: string | null;
}

/** What of a lock stays the same however often it is renewed. */
type Claim = Pick<Holder, 'kind' | 'run' | 'at'>;

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
export async function takeLock(
  place: LockPlace,
  kind: Holder['kind'],
  run: string | null = null,
): Promise<RepositoryLock> {
  const claim: Claim = { kind, run, at: new Date().toISOString() };
  const own = await writeLock(place, claim);
  try {
    await giveWay(place, kind, own);
  } catch (error) {
    await place.store.delete(own);
    throw error;
  }
  return new HeldLock(place, claim, own);
}

/** Who holds locks, and until when should his process be gone. Locks that nobody may heed any more are none. */
export async function* listLocks({ store, keys }: Pick<LockPlace, 'store' | 'keys'>): AsyncGenerator<LockHolder> {
  for await (const { name, createdAt } of store.list('locks/')) {
    const holder = isDead(createdAt, new Date()) ? null : await readHolder(store, keys, name);
    if (holder === null) continue;
    const { kind, program, host, process: id, at } = holder;
    yield { kind, program, host, process: id, since: new Date(at), fallsAt: fallOf(createdAt) };
  }
}

/**
 * Runs whose processes hold a lock. A run that is not among them, and was begun before this was asked, is dead: a lock is taken before
 * the first commit, and held to the end.
 */
export async function livingRuns({ store, keys }: Pick<LockPlace, 'store' | 'keys'>): Promise<Set<string>> {
  for (;;) {
    const locks = await settledLocks(store);
    // The store's clock at the least: a machine whose clock goes ahead takes nobody for dead too early.
    const now = new Date(Math.max(...locks.map(({ createdAt }) => createdAt.getTime())));
    const living = locks.filter(({ createdAt }) => !isDead(createdAt, now));
    const holders = await Promise.all(living.map(({ name }) => readHolder(store, keys, name)));
    if (holders.includes(null)) continue;
    const runs = holders.flatMap((holder) => (holder === null || isGone(holder) ? [] : [holder.run]));
    return new Set(runs.filter((run) => run !== null));
  }
}

/**
 * All locks, as two lists in a row agree on them: while a list is read a lock may be renewed, so that its old name is gone and its new one
 * stands where the reader has already been.
 */
async function settledLocks(store: ObjectStore): Promise<ObjectFacts[]> {
  const namesOf = (locks: readonly ObjectFacts[]) => locks.map(({ name }) => name).join();
  let before = await gathered(store.list('locks/'));
  for (;;) {
    const locks = await gathered(store.list('locks/'));
    if (namesOf(locks) === namesOf(before)) return locks;
    before = locks;
  }
}

async function gathered(listed: AsyncIterable<ObjectFacts>): Promise<ObjectFacts[]> {
  const all: ObjectFacts[] = [];
  for await (const facts of listed) all.push(facts);
  return all;
}

const fallOf = (createdAt: Date) => new Date(createdAt.getTime() + DEAD_MS);

const isDead = (createdAt: Date, now: Date) => fallOf(createdAt) < now;

class HeldLock implements RepositoryLock {
  readonly kind: Holder['kind'];
  private readonly place: LockPlace;
  private readonly timer: NodeJS.Timeout;
  private readonly claim: Claim;
  private own: string;
  private renewedMs = Date.now();
  private renewing: Promise<void> = Promise.resolve();

  constructor(place: LockPlace, claim: Claim, own: string) {
    this.kind = claim.kind;
    this.place = place;
    this.own = own;
    this.claim = claim;
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
      this.own = await writeLock(this.place, this.claim);
      this.renewedMs = Date.now();
      await this.place.store.delete(before);
    } catch {
      // The next renewal, or `check`, meets the same.
    }
  }
}

async function writeLock({ store, keys, program }: LockPlace, claim: Claim): Promise<string> {
  const name = `locks/${randomUUID()}`;
  const holder: Holder = { ...claim, program, host: hostname(), process: process.pid, machine: thisMachine() };
  await store.create(name, await seal(keys.encryption, name, JSON.stringify(holder)));
  return name;
}

/** Looks at all locks after the own one was written: of two that exclude each other, at least one sees the other. */
async function giveWay(place: LockPlace, kind: Holder['kind'], own: string): Promise<void> {
  for (;;) {
    const locks = await settledLocks(place.store);
    // The store's clock, as told by the object it has just taken: those of other machines may differ.
    const now = locks.find(({ name }) => name === own)?.createdAt ?? new Date();
    const others = locks.filter(({ name }) => name !== own);
    let isSettled = true;
    for (const other of others) if (!(await giveWayTo(place, kind, other, now))) isSettled = false;
    if (isSettled) return;
  }
}

/**
 * @returns `false` when the lock is gone since it was listed: given back, or renewed under another name. Then all are to be listed again
 * @throws `locked` when it excludes the own one
 */
async function giveWayTo(
  { store, keys }: LockPlace,
  kind: Holder['kind'],
  { name, createdAt }: ObjectFacts,
  now: Date,
): Promise<boolean> {
  const holder = isDead(createdAt, now) ? 'dead' : await readHolder(store, keys, name);
  if (holder === null) return false;
  if (holder === 'dead' || isGone(holder)) await store.delete(name);
  else if (kind === 'exclusive' || holder.kind === 'exclusive') throw excludedBy(holder, store, fallOf(createdAt));
  return true;
}

function excludedBy({ kind, program, host, process: id, at }: Holder, store: ObjectStore, fallsAt: Date): EngineError {
  const work = kind === 'exclusive' ? 'is deleting what a prune retired' : 'is backing up';
  const text = `${program} on ${host} (process ${id}) ${work} in ${store.description} since ${at}. Try again when it has ended; should that process be gone, its lock falls at ${fallsAt.toISOString()}.`;
  return new EngineError('locked', text, { isRetryable: true });
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

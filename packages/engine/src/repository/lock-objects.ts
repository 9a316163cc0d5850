import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { EngineError } from '../model/engine-error.ts';
import { isAbsent } from '../store/has-object.ts';
import type { ObjectFacts, ObjectStore } from '../store/object-store.ts';
import { StoppableStore } from '../store/stoppable-store.ts';
import type { RepositoryKeys } from './keys.ts';
import { isGone, thisMachine } from './machine.ts';
import { LOCK_NAME } from './object-names.ts';
import type { LockHolder } from './repository.ts';
import { seal, unseal } from './sealed.ts';
import { StoreClock } from './store-clock.ts';

/** How often a lock is renewed, and how old it becomes before its process counts as gone. Six renewals may fail before. */
export const LOCK_TIMES: LockTimes = { renewMs: 5 * 60_000, deadMs: 30 * 60_000 };

export interface LockTimes {
  renewMs: number;
  /** Said in the lock itself, so that programs with other times obey it. Never longer than that of `LOCK_TIMES`. */
  deadMs: number;
}

/** A lock as it is written; `at` is when it was acquired, however often it was renewed since. */
export interface Holder extends Pick<LockHolder, 'kind' | 'program' | 'host' | 'process'> {
  at: string;
  /** The run that lives as long as this lock does. */
  run: string | null;
  /** The machine and its boot, where they are known: there, any process can see whether this one is gone. */
  machine: string | null;
  /** When it counts as dead, where that is sooner than usual. */
  deadMs?: number;
}

/** What of a lock stays the same however often it is renewed. */
export type Claim = Pick<Holder, 'kind' | 'run' | 'at'>;

/** The store of the locks, and the keys that seal them. */
export interface LockPlace {
  store: ObjectStore;
  keys: RepositoryKeys;
  program: string;
  /** Default `LOCK_TIMES`. */
  times?: LockTimes;
  /** What this process knows of the time there. */
  clock?: StoreClock;
}

/** @throws `bad-request` for times with which a short delay would lose a lock, or which earlier versions do not obey */
export function requireLockTimes({ renewMs, deadMs }: LockTimes): LockTimes {
  if (renewMs >= 1_000 && deadMs >= 3 * renewMs && deadMs <= LOCK_TIMES.deadMs) return { renewMs, deadMs };
  throw new EngineError(
    'bad-request',
    `Locks cannot be renewed every ${renewMs} ms and count as dead after ${deadMs} ms: renew no more often than every second, at least three times before they count as dead, which is within 30 minutes.`,
  );
}

/** Lists the holders of locks, and until when a lock counts if its process is gone. Expired locks are not listed. */
export async function* listLocks({ store, keys }: Pick<LockPlace, 'store' | 'keys'>): AsyncGenerator<LockHolder> {
  for (const { name, createdAt } of await gathered(store.list('locks/'))) {
    const holder = isDead(createdAt, new Date()) ? null : await readHolder(store, keys, name);
    if (holder === null || isDead(createdAt, new Date(), holder)) continue;
    const { kind, program, host, process: id, at } = holder;
    yield { kind, program, host, process: id, since: new Date(at), fallsAt: fallOf(createdAt, holder) };
  }
}

/**
 * Runs whose processes hold a lock. A run that is not among them, and was begun before this was asked, is dead: a lock is acquired before
 * the first commit, and held to the end.
 */
export async function livingRuns({
  store,
  keys,
  clock = new StoreClock(),
}: Pick<LockPlace, 'store' | 'keys' | 'clock'>): Promise<Set<string>> {
  for (;;) {
    const locks = await settledLocks(store);
    if (locks.length === 0) return new Set();
    clock.learn(locks.map(({ createdAt }) => createdAt));
    const now = clock.now();
    const living = locks.filter(({ createdAt }) => !isDead(createdAt, now));
    const holders = await Promise.all(living.map(({ name }) => readHolder(store, keys, name)));
    if (holders.includes(null)) continue;
    const runs = holders.flatMap((holder, at) => {
      const createdAt = living[at]?.createdAt ?? now;
      return holder === null || isDead(createdAt, now, holder) || isGone(holder) ? [] : [holder.run];
    });
    return new Set(runs.filter((run) => run !== null));
  }
}

/**
 * All locks, as two lists in a row agree on them: while a list is read a lock may be renewed, so that its old name is gone and its new one
 * is in a part of the list that was already read.
 */
export async function settledLocks(store: ObjectStore): Promise<ObjectFacts[]> {
  const namesOf = (locks: readonly ObjectFacts[]) => locks.map(({ name }) => name).join();
  let before = await gathered(store.list('locks/'));
  for (;;) {
    const locks = await gathered(store.list('locks/'));
    if (namesOf(locks) === namesOf(before)) return locks;
    before = locks;
  }
}

/** Locks among what is in the folder. */
async function gathered(listed: AsyncIterable<ObjectFacts>): Promise<ObjectFacts[]> {
  const all: ObjectFacts[] = [];
  for await (const facts of listed) if (LOCK_NAME.test(facts.name)) all.push(facts);
  return all;
}

type Falls = Pick<Holder, 'deadMs'>;

/** @param holder without it, as late as that of any lock */
export const fallOf = (createdAt: Date, { deadMs = LOCK_TIMES.deadMs }: Falls = {}) =>
  new Date(createdAt.getTime() + Math.min(deadMs, LOCK_TIMES.deadMs));

export const isDead = (createdAt: Date, now: Date, holder: Falls = {}) => fallOf(createdAt, holder) < now;

export async function writeLock({ store, keys, program, times }: LockPlace, claim: Claim): Promise<string> {
  const name = `locks/${randomUUID()}`;
  const { deadMs } = times ?? LOCK_TIMES;
  const holder: Holder = {
    ...claim,
    program,
    host: hostname(),
    process: process.pid,
    machine: thisMachine(),
    ...(deadMs === LOCK_TIMES.deadMs ? {} : { deadMs }),
  };
  try {
    await store.create(name, await seal(keys.encryption, name, JSON.stringify(holder)));
  } catch (error) {
    // It may be there all the same, or come to be, and would keep others out for as long as this process lives.
    deleteLock(store, name).catch(() => undefined);
    throw error;
  }
  return name;
}

/** Deletes a lock, after what its work has left under way in the store: until then it excludes others. */
export async function deleteLock(store: ObjectStore, name: string): Promise<void> {
  if (store instanceof StoppableStore) await store.writesEnded();
  await beyondWork(store).delete(name);
}

/** The store for as long as a lock is needed: it is renewed and given back also when the work that it is for was stopped. */
export const beyondWork = (store: ObjectStore): ObjectStore =>
  store instanceof StoppableStore ? store.unstopped : store;

/** `null` when the lock was given back meanwhile. */
export async function readHolder(store: ObjectStore, keys: RepositoryKeys, name: string): Promise<Holder | null> {
  try {
    const holder: Holder = JSON.parse(await unseal(keys.encryption, name, await store.read(name)));
    return holder;
  } catch (error) {
    if (isAbsent(error)) return null;
    throw error;
  }
}

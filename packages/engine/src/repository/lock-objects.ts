import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { EngineError } from '../model/engine-error.ts';
import type { ObjectFacts, ObjectStore } from '../store/object-store.ts';
import type { RepositoryKeys } from './keys.ts';
import { isGone, thisMachine } from './machine.ts';
import { LOCK_NAME } from './object-names.ts';
import type { LockHolder } from './repository.ts';
import { seal, unseal } from './sealed.ts';

/** An object this old belongs to a process that is gone. Six renewals may fail before. */
export const DEAD_MS = 30 * 60_000;
/** A lock as it is written; `at` is when it was acquired, however often it was renewed since. */
export interface Holder extends Pick<LockHolder, 'kind' | 'program' | 'host' | 'process'> {
  at: string;
  /** The run that lives as long as this lock does. */
  run: string | null;
  /** The machine and its boot, where they are known: there, any process can see whether this one is gone. */
  machine: string | null;
}

/** What of a lock stays the same however often it is renewed. */
export type Claim = Pick<Holder, 'kind' | 'run' | 'at'>;

/** The store of the locks, and the keys that seal them. */
export interface LockPlace {
  store: ObjectStore;
  keys: RepositoryKeys;
  program: string;
}

/** Lists the holders of locks, and until when a lock counts if its process is gone. Expired locks are not listed. */
export async function* listLocks({ store, keys }: Pick<LockPlace, 'store' | 'keys'>): AsyncGenerator<LockHolder> {
  for (const { name, createdAt } of await gathered(store.list('locks/'))) {
    const holder = isDead(createdAt, new Date()) ? null : await readHolder(store, keys, name);
    if (holder === null) continue;
    const { kind, program, host, process: id, at } = holder;
    yield { kind, program, host, process: id, since: new Date(at), fallsAt: fallOf(createdAt) };
  }
}

/**
 * Runs whose processes hold a lock. A run that is not among them, and was begun before this was asked, is dead: a lock is acquired before
 * the first commit, and held to the end.
 */
export async function livingRuns({ store, keys }: Pick<LockPlace, 'store' | 'keys'>): Promise<Set<string>> {
  for (;;) {
    const locks = await settledLocks(store);
    // The store's clock at the least: a machine whose clock is ahead presumes no process dead too early.
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

export const fallOf = (createdAt: Date) => new Date(createdAt.getTime() + DEAD_MS);

export const isDead = (createdAt: Date, now: Date) => fallOf(createdAt) < now;

export async function exists(store: ObjectStore, name: string): Promise<boolean> {
  try {
    await store.readRange(name, 0, 0);
    return true;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'not-found') return false;
    throw error;
  }
}

export async function writeLock({ store, keys, program }: LockPlace, claim: Claim): Promise<string> {
  const name = `locks/${randomUUID()}`;
  const holder: Holder = { ...claim, program, host: hostname(), process: process.pid, machine: thisMachine() };
  await store.create(name, await seal(keys.encryption, name, JSON.stringify(holder)));
  return name;
}

/** `null` when the lock was given back meanwhile. */
export async function readHolder(store: ObjectStore, keys: RepositoryKeys, name: string): Promise<Holder | null> {
  try {
    const holder: Holder = JSON.parse(await unseal(keys.encryption, name, await store.read(name)));
    return holder;
  } catch (error) {
    if (error instanceof EngineError && error.code === 'not-found') return null;
    throw error;
  }
}

import { randomBytes } from 'node:crypto';
import { EngineError } from '../model/engine-error.ts';
import { hasObject } from '../store/has-object.ts';
import type { ObjectStore } from '../store/object-store.ts';

/** Not part of the format: readers pass over it as over any other name, and nothing is lost with it. */
export const RESERVE_NAME = 'reserve';
/** Room for the locks and journals of a prune that retires 100,000 packs. */
const RESERVE_BYTES = 4 * 2 ** 20;

/**
 * Stores bytes that a prune frees where the store is full: without room for a lock and a journal it could not begin. Random ones, which no file
 * system stores in less. Where there is no room for them, or the store does not let them be written, there is no reserve.
 */
export async function ensureReserve(store: ObjectStore): Promise<void> {
  try {
    if (!(await hasObject(store, RESERVE_NAME))) await store.create(RESERVE_NAME, randomBytes(RESERVE_BYTES));
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
  }
}

/** Frees the bytes of the reserve, as far as the store lets them be deleted. */
export async function releaseReserve(store: ObjectStore): Promise<void> {
  try {
    await store.delete(RESERVE_NAME);
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
  }
}

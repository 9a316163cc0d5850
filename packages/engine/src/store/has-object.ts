import { EngineError } from '../model/engine-error.ts';
import type { ObjectStore } from './object-store.ts';

/** Asks whether the store has an object, by a read of no bytes. */
export async function hasObject(store: ObjectStore, name: string): Promise<boolean> {
  try {
    await store.readRange(name, 0, 0);
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

/** Says of an error that the store has no object of that name. */
export function isAbsent(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'not-found';
}

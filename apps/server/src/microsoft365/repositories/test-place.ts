import { setTimeout as wait } from 'node:timers/promises';
import { Refused } from '@keepwatch/connectors/ports/microsoft365-engine';
import { EngineError, type ObjectStore } from '@keepwatch/engine/engine';
import { newId } from '../../foundation/secrets.ts';

/** Long enough to be seen, and short enough to be waited for. */
const LOCK_MS = 2_000;
const ATTEMPTS = 20;

/**
 * Writes, reads, lists and deletes an object in a place, and where immutability is asked for, sees that it is locked.
 * @throws `Refused` that names the step which failed
 */
export async function testPlace(store: ObjectStore, isImmutable: boolean, signal: AbortSignal): Promise<void> {
  const name = `keepwatch-test-${newId()}`;
  const bytes = Buffer.from(name);
  const retainUntil = new Date((store.now?.() ?? new Date()).getTime() + LOCK_MS);
  await step('written', store, () => store.create(name, bytes, isImmutable ? { retainUntil } : {}));
  await step('read', store, async () => {
    if (!bytes.equals(await store.read(name))) throw new Error('It gave back other bytes.');
  });
  await step('listed', store, () => requireListed(store, name));
  if (isImmutable) await step('locked', store, () => requireLocked(store, name));
  await step('deleted', store, () => deleteWhenFree(store, name, isImmutable, signal));
}

async function step(what: string, store: ObjectStore, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `Nothing can be ${what} in the ${store.description}. ${why} Correct the place or its permissions.`;
    throw new Refused('PLACE_REFUSED', message);
  }
}

async function requireListed(store: ObjectStore, name: string): Promise<void> {
  for await (const found of store.list(name)) if (found.name === name) return;
  throw new Error('What was written is not in its list.');
}

async function requireLocked(store: ObjectStore, name: string): Promise<void> {
  if ((await store.lockedUntil?.(name)) == null) throw new Error('It has no object lock. Switch it on for the bucket.');
}

async function deleteWhenFree(store: ObjectStore, name: string, isLocked: boolean, signal: AbortSignal): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    if (isLocked) await wait(LOCK_MS / 4, undefined, { signal });
    try {
      return await store.delete(name);
    } catch (error) {
      const isStillLocked = isLocked && error instanceof EngineError && error.code === 'store-refused';
      if (!isStillLocked || attempt === ATTEMPTS) throw error;
    }
  }
}

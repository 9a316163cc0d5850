import { randomUUID } from 'node:crypto';
import { AcceptedLosses, type Losses } from '../model/accepted-losses.ts';
import { EngineError } from '../model/engine-error.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { RepositoryKeys } from './keys.ts';
import { LOSSES_NAME } from './object-names.ts';
import { seal, unseal } from './sealed.ts';

const FOLDER = 'losses/';

export async function acceptLosses(store: ObjectStore, keys: RepositoryKeys, losses: Losses): Promise<void> {
  const name = `${FOLDER}${randomUUID()}`;
  await store.create(name, await seal(keys.encryption, name, JSON.stringify(losses)));
}

export async function readAcceptedLosses(store: ObjectStore, keys: RepositoryKeys): Promise<AcceptedLosses> {
  const all: Losses[] = [];
  for await (const { name } of store.list(FOLDER))
    if (LOSSES_NAME.test(name)) all.push(...(await readLosses(store, keys, name)));
  return new AcceptedLosses(all);
}

/** None of an object that cannot be read: then what it says counts as lost again, and can be accepted again. */
async function readLosses(store: ObjectStore, keys: RepositoryKeys, name: string): Promise<Losses[]> {
  try {
    const losses: Losses = JSON.parse(await unseal(keys.encryption, name, await store.read(name)));
    return [{ ...losses, at: new Date(losses.at) }];
  } catch (error) {
    if (error instanceof EngineError && (error.code === 'damaged' || error.code === 'not-found')) return [];
    throw error;
  }
}

import { EngineError } from '../model/engine-error.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { IDENTITY_NAME, identityBytes, newIdentity, readIdentity } from './identity.ts';
import { newRepositoryKey } from './keys.ts';
import { COMMIT_NAME } from './object-names.ts';
import { addKey, checkPassword, findByKeys, findKey } from './passwords.ts';
import type { Repository } from './repository.ts';
import { type RepositoryOptions, StoreRepository } from './store-repository.ts';

export { requireEmptyPlace } from './empty-place.ts';
export type { RepositoryOptions } from './store-repository.ts';

/**
 * Makes a repository in an empty place.
 * @throws `repository-exists`, `bad-request` for a password that is too short
 */
export async function createRepository(
  store: ObjectStore,
  password: string,
  options: RepositoryOptions = {},
): Promise<Repository> {
  checkPassword(password);
  const now = (options.now ?? (() => new Date()))();
  const identity = newIdentity(now, options.chunkSizes);
  const key = newRepositoryKey();
  // The key first: a crash between the two leaves a place in which a repository can still be made.
  const name = await addKey(store, key, identity, password, {
    label: 'first',
    createdAt: now,
    cost: options.passwordCost,
  });
  if ((await hasJournals(store)) || !(await store.create(IDENTITY_NAME, identityBytes(identity)))) {
    await store.delete(name);
    throw new EngineError(
      'repository-exists',
      `There is a repository in ${store.description} already. Open it, or choose another place.`,
    );
  }
  return new StoreRepository(store, identity, { name, key }, options);
}

/**
 * Opens a repository, also one whose identity object alone is damaged or lost.
 * @throws `no-repository`, `newer-repository`, `wrong-password`, `damaged`
 */
export async function openRepository(
  store: ObjectStore,
  password: string,
  options: RepositoryOptions = {},
): Promise<Repository> {
  const identity = await readIdentity(store).catch((error: unknown) => identityLost(store, error));
  if (identity instanceof EngineError) {
    const found = await findByKeys(store, password);
    if (found === null) throw identity;
    return new StoreRepository(store, found.identity, found, options);
  }
  const found = await findKey(store, identity.id, password);
  if (found !== null) return new StoreRepository(store, identity, found, options);
  throw new EngineError(
    'wrong-password',
    `The password does not open the repository in ${store.description}. Nothing can be read without it; try the one that was set last.`,
  );
}

/** @returns the error where the keys can take the place of the identity: a place without journals never was a repository */
async function identityLost(store: ObjectStore, error: unknown): Promise<EngineError> {
  if (!(error instanceof EngineError)) throw error;
  if (error.code === 'damaged' || (error.code === 'no-repository' && (await hasJournals(store)))) return error;
  throw error;
}

async function hasJournals(store: ObjectStore): Promise<boolean> {
  for await (const { name } of store.list('journals/')) if (COMMIT_NAME.test(name)) return true;
  return false;
}

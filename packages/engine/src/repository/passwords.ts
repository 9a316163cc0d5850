import { randomUUID } from 'node:crypto';
import { EngineError } from '../model/engine-error.ts';
import type { ObjectStore } from '../store/object-store.ts';
import type { Identity } from './identity.ts';
import { PASSWORD_COST, type PasswordCost, readWrappedKey, unwrapKey, type WrappedKey, wrapKey } from './keys.ts';

/** A password that opens a repository, as far as can be seen without it. */
export interface PasswordFacts {
  id: string;
  label: string;
  createdAt: Date;
}

/** The repository key, and the object it came out of. */
export interface FoundKey {
  name: string;
  key: Buffer;
}

const FOLDER = 'keys/';
const PASSWORD_CHARACTERS_MIN = 8;
/** Each costs a person who opens the repository with the wrong password some seconds at most, and so does one that a stranger put there. */
const KEYS_MAX = 32;

/** @throws `bad-request` for a password that is too short */
export function checkPassword(password: string): void {
  if (password.length >= PASSWORD_CHARACTERS_MIN) return;
  throw new EngineError(
    'bad-request',
    `A repository's password needs at least ${PASSWORD_CHARACTERS_MIN} characters: without it nothing can ever be read, and with it everything.`,
  );
}

/** Writes the key of a repository, wrapped by a password. @returns the name of the object */
export async function addKey(
  store: ObjectStore,
  key: Buffer,
  identity: Identity,
  password: string,
  { label, createdAt, cost = PASSWORD_COST }: { label: string; createdAt: Date; cost?: PasswordCost | undefined },
): Promise<string> {
  const name = FOLDER + randomUUID();
  const wrapped = await wrapKey(key, identity, password, { label, createdAt, cost });
  await store.create(name, Buffer.from(`${JSON.stringify(wrapped, null, 2)}\n`));
  return name;
}

/** @throws `bad-request` when the repository has as many keys as are ever tried */
export async function refuseMoreKeys(store: ObjectStore, id: string): Promise<void> {
  if ((await listPasswords(store, id)).length < KEYS_MAX) return;
  throw new EngineError(
    'bad-request',
    `A repository has at most ${KEYS_MAX} passwords. Remove one that is not used any more.`,
  );
}

/** The key that a password opens; `null` for another password. Keys of other repositories are passed over. */
export async function findKey(store: ObjectStore, id: string, password: string): Promise<FoundKey | null> {
  let damage: unknown = null;
  let tried = 0;
  for await (const { name, key } of readKeys(store)) {
    if (key instanceof EngineError) damage ??= key;
    else if (isForeign(key, id)) continue;
    tried += 1;
    if (tried > KEYS_MAX) throw tooManyKeys(store);
    const found = key instanceof EngineError ? null : await unwrapKey(key, id, password);
    if (found !== null) return { name, key: found };
  }
  if (damage !== null) throw damage;
  return null;
}

/** What a repository is whose identity object cannot be read: each of its keys says it again. `null` where the password opens none. */
export async function findByKeys(
  store: ObjectStore,
  password: string,
): Promise<(FoundKey & { identity: Identity }) | null> {
  let tried = 0;
  for await (const { name, key } of readKeys(store)) {
    if (key instanceof EngineError || key.repository === undefined) continue;
    tried += 1;
    if (tried > KEYS_MAX) throw tooManyKeys(store);
    const found = await unwrapKey(key, key.repository.id, password);
    if (found !== null) return { name, key: found, identity: key.repository };
  }
  return null;
}

/** The passwords of a repository, oldest first. The label of a damaged one says so: it opens nothing. */
export async function listPasswords(store: ObjectStore, id: string): Promise<PasswordFacts[]> {
  const found: PasswordFacts[] = [];
  for await (const { name, key, storedAt } of readKeys(store)) {
    const own = { id: name.slice(FOLDER.length) };
    if (key instanceof EngineError) found.push({ ...own, label: '(damaged: opens nothing)', createdAt: storedAt });
    else if (!isForeign(key, id)) found.push({ ...own, label: key.label, createdAt: new Date(key.createdAt) });
  }
  return found.sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
}

/**
 * Makes a password invalid.
 * @param used the object whose password opened the repository: it alone is known to open it
 * @throws `not-found`; `bad-request` for the password in use: without it nothing might ever be read again
 */
export async function removePassword(store: ObjectStore, repository: string, id: string, used: string): Promise<void> {
  const all = await listPasswords(store, repository);
  if (!all.some((one) => one.id === id))
    throw new EngineError('not-found', `The repository has no password with the id '${id}'.`);
  if (FOLDER + id !== used) return store.delete(FOLDER + id);
  throw new EngineError(
    'bad-request',
    all.length === 1
      ? 'This is the only password: without it nothing could ever be read again. Add another one first.'
      : 'The repository was opened with this password, and no other is known to open it. Open it with another one, and remove this one then.',
  );
}

/** All that is in the folder of keys; an error for what is none. One that a password change has just deleted is left out. */
async function* readKeys(
  store: ObjectStore,
): AsyncGenerator<{ name: string; storedAt: Date; key: WrappedKey | EngineError }> {
  for await (const { name, createdAt } of store.list(FOLDER)) {
    try {
      yield { name, storedAt: createdAt, key: readWrappedKey(await store.read(name), name) };
    } catch (error) {
      if (!(error instanceof EngineError) || !['damaged', 'not-found'].includes(error.code)) throw error;
      if (error.code === 'damaged') yield { name, storedAt: createdAt, key: error };
    }
  }
}

/** A creation that was killed leaves one, and anyone who can write there may add one. */
function isForeign({ repository }: WrappedKey, id: string): boolean {
  return repository !== undefined && repository.id !== id;
}

function tooManyKeys(store: ObjectStore): EngineError {
  return new EngineError(
    'damaged',
    `There are more than ${KEYS_MAX} keys in ${store.description}, more than Keepwatch writes. Remove those that you did not add: 'passwords' lists them.`,
  );
}

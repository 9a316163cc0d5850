import { EngineError } from '../model/engine-error.ts';
import type { ObjectStore } from '../store/object-store.ts';
import { readWrappedKey } from './keys.ts';

/** A password that opens a repository, as far as can be told without it. */
export interface PasswordFacts {
  id: string;
  label: string;
  createdAt: Date;
}

const FOLDER = 'keys/';

/** The passwords that are valid, oldest first. One that is damaged is told by its label: it opens nothing. */
export async function listPasswords(store: ObjectStore): Promise<PasswordFacts[]> {
  const found: PasswordFacts[] = [];
  for await (const { name, createdAt } of store.list(FOLDER)) {
    const facts = await factsOf(store, name, createdAt);
    if (facts !== null) found.push({ ...facts, id: name.slice(FOLDER.length) });
  }
  return found.sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
}

/** `null` when a password change has just deleted it. */
async function factsOf(store: ObjectStore, name: string, storedAt: Date): Promise<Omit<PasswordFacts, 'id'> | null> {
  try {
    const { label, createdAt } = readWrappedKey(await store.read(name), name);
    return { label, createdAt: new Date(createdAt) };
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    if (error.code === 'not-found') return null;
    if (error.code === 'damaged') return { label: '(damaged: opens nothing)', createdAt: storedAt };
    throw error;
  }
}

/**
 * Makes a password invalid.
 * @throws `not-found`; `bad-request` for the last one that is whole: without it nothing could ever be read again
 */
export async function removePassword(store: ObjectStore, id: string): Promise<void> {
  const all = await listPasswords(store);
  const wanted = all.find((one) => one.id === id);
  if (wanted === undefined) throw new EngineError('not-found', `The repository has no password with the id '${id}'.`);
  const others = all.filter((one) => one !== wanted);
  const areWhole = await Promise.all(others.map((one) => isWhole(store, one.id)));
  if (!areWhole.includes(true))
    throw new EngineError(
      'bad-request',
      'This is the only password: without it nothing could ever be read again. Add another one first.',
    );
  await store.delete(FOLDER + id);
}

async function isWhole(store: ObjectStore, id: string): Promise<boolean> {
  try {
    readWrappedKey(await store.read(FOLDER + id), id);
    return true;
  } catch (error) {
    if (error instanceof EngineError && ['damaged', 'not-found'].includes(error.code)) return false;
    throw error;
  }
}

import { randomBytes } from 'node:crypto';
import type { ObjectStore } from '../store/object-store.ts';
import { GENERATION_NAME } from './object-names.ts';

const FOLDER = 'generations/';

/** The generation of a repository, the last by name (format, 6); empty for the first. */
export async function readGeneration(store: ObjectStore): Promise<string> {
  let last = '';
  for await (const { name } of store.list(FOLDER)) last = GENERATION_NAME.exec(name)?.[1] ?? last;
  return last;
}

/** Begins the next generation. Of two that are begun at once the one with the later name is the repository's. */
export async function beginGeneration(store: ObjectStore): Promise<string> {
  const number = Number.parseInt(await readGeneration(store), 10) || 0;
  const next = `${String(number + 1).padStart(8, '0')}-${randomBytes(8).toString('hex')}`;
  await store.create(FOLDER + next, Buffer.from(`${JSON.stringify({ generation: next })}\n`));
  return next;
}

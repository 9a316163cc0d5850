import { EngineError } from '../model/engine-error.ts';

const OBJECT_NAME = /^[a-z0-9-]+(\/[a-z0-9-]+)*$/;
const OBJECT_PREFIX = /^([a-z0-9-]+\/)*[a-z0-9-]*$/;
const NAME_CHARACTERS_MAX = 500;

/**
 * Refuses what is no name of an object: nothing that could lead out of a store gets below this line.
 * @throws `bad-request`
 */
export function checkObjectName(name: string): void {
  if (isObjectName(name)) return;
  throw new EngineError(
    'bad-request',
    `'${name.slice(0, 100)}' is no name of an object: it may hold a-z, 0-9, - and / alone, up to ${NAME_CHARACTERS_MAX} of them.`,
  );
}

/** Anything else in a folder or bucket (`lost+found`, `.DS_Store`) is no object of ours. */
export function isObjectName(name: string): boolean {
  return name.length <= NAME_CHARACTERS_MAX && OBJECT_NAME.test(name);
}

/**
 * Refuses what no name of an object can begin with. An empty prefix means all objects.
 * @throws `bad-request`
 */
export function checkObjectPrefix(prefix: string): void {
  if (prefix.length <= NAME_CHARACTERS_MAX && OBJECT_PREFIX.test(prefix)) return;
  throw new EngineError('bad-request', `No name of an object can begin with '${prefix.slice(0, 100)}'.`);
}

/**
 * Refuses a range that is none.
 * @throws `bad-request`
 */
export function checkRange(name: string, start: number, length: number): void {
  if (Number.isSafeInteger(start) && Number.isSafeInteger(length) && start >= 0 && length >= 0) return;
  throw new EngineError('bad-request', `${length} bytes from ${start} on are no range of the object ${name}.`);
}

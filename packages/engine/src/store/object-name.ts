import { EngineError } from '../model/engine-error.ts';

const OBJECT_NAME = /^[a-z0-9-]+(\/[a-z0-9-]+)*$/;
const NAME_CHARACTERS_MAX = 500;

/**
 * Refuses what is no name of an object: nothing that could lead out of a store gets below this line.
 * @throws `bad-request`
 */
export function checkObjectName(name: string): void {
  if (name.length <= NAME_CHARACTERS_MAX && OBJECT_NAME.test(name)) return;
  throw new EngineError(
    'bad-request',
    `'${name.slice(0, 100)}' is no name of an object: it may hold a-z, 0-9, - and / alone.`,
  );
}

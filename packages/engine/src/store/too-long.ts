import { EngineError } from '../model/engine-error.ts';
import { OBJECT_BYTES_MAX } from './object-store.ts';

/** An object that is larger than any that is written: it was put there to make its reader run out of memory. */
export function tooLong(name: string): EngineError {
  return new EngineError(
    'damaged',
    `The object ${name} has more than ${OBJECT_BYTES_MAX} bytes: Keepwatch did not write it. Bring it back from a copy of the repository; a full verify shows what it held.`,
  );
}

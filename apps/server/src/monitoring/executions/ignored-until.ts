import { invalid } from '../../foundation/errors.ts';

/** Throws 422 for an end of an ignore that is over: nothing would be ignored, and nobody would be told. */
export function checkUntil(ignoredUntil: string | undefined, path: string, now: Date): void {
  if (ignoredUntil !== undefined && Date.parse(ignoredUntil) <= now.getTime())
    throw invalid([{ path, message: 'must lie in the future' }]);
}

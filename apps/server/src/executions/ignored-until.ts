import { invalid } from '../foundation/errors.ts';

/** Throws 422 for an ignore that ends in the past: it would ignore nothing, and the user would not notice. */
export function checkUntil(ignoredUntil: string | undefined, path: string, now: Date): void {
  if (ignoredUntil !== undefined && Date.parse(ignoredUntil) <= now.getTime())
    throw invalid([{ path, message: 'must be in the future' }]);
}

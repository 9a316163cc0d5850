import { conflict } from '../../foundation/errors.ts';
import type { PublicContext } from '../../foundation/http/context.ts';
import { claimAccount, releaseAccount } from '../second-factors/challenges.ts';

/**
 * Does something to an account of a directory while nothing else is being done to it. Of two that come at once the second is refused before the directory
 * hears of it: there it would undo what the first one does. What allows the work is checked within it, as the first one may have spent that.
 * @throws Refusal 409 while something else is being done
 */
export async function aloneInDirectory<T>(
  { database, now }: Pick<PublicContext, 'database' | 'now'>,
  user: { providerId: number; id: string },
  work: () => Promise<T>,
): Promise<T> {
  const claim = await claimAccount(database, user, now());
  if (claim === null) throw conflict('This account is being changed in the directory just now. Try again in a moment.');
  try {
    return await work();
  } finally {
    await releaseAccount(database, user, claim);
  }
}

import { holdPassword, type StoredUser } from '../../directory/users.ts';
import type { Connection } from '../../foundation/database.ts';
import { Refusal } from '../../foundation/errors.ts';
import { findSecondFactors, isProtected } from './second-factors.ts';

/**
 * Throws 401 where the password was changed, or the account closed, since the user was read: checking a password takes a moment, and what an earlier
 * one opens must not outlive it. Needs the transaction that opens it.
 */
export async function requireUnchanged(connection: Connection, user: StoredUser): Promise<void> {
  if (!(await holdPassword(connection, user))) throw changedMeanwhile();
}

/** Throws 401 where the user has added a second factor since there was none to ask for. Needs `requireUnchanged` before it: none is added after that. */
export async function requireUnprotected(connection: Connection, user: StoredUser): Promise<void> {
  if (isProtected(await findSecondFactors(connection, user))) throw changedMeanwhile();
}

/** What was proved counts for nothing: what it was proved of is another one now. */
export function changedMeanwhile(): Refusal {
  return new Refusal(401, 'SIGN_IN_AGAIN', 'Your account was changed while you logged in. Log in again.');
}

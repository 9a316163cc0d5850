import { holdPassword, type StoredUser } from '../../directory/users.ts';
import type { Connection } from '../../foundation/database.ts';
import { Refusal } from '../../foundation/errors.ts';

/**
 * Throws 401 where the password was changed, or the account closed, since the user was read: checking a password takes a moment, and what an earlier
 * one opens must not outlive it. Needs the transaction that opens it.
 */
export async function requireUnchanged(connection: Connection, user: StoredUser): Promise<void> {
  if (await holdPassword(connection, user)) return;
  throw new Refusal(401, 'SIGN_IN_AGAIN', 'Your account was changed while you logged in. Log in again.');
}

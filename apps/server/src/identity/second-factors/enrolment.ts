import { lockAccount } from '../../directory/users.ts';
import type { Connection } from '../../foundation/database.ts';
import { conflict } from '../../foundation/errors.ts';
import { openEnrolled } from '../sessions.ts';
import { firstRecoveryCodes } from './recovery-codes.ts';
import { forgetUnprotected } from './second-factors.ts';
import { mustEnrol } from './sign-in-rules.ts';
import type { UserKey } from './user-key.ts';

/** What follows a new second factor: the session in which it was added opens if it waited for it, and a first one comes with recovery codes. */
export async function enrol(
  connection: Connection,
  user: UserKey,
  sessionHash: Buffer | null,
): Promise<string[] | null> {
  await openEnrolled(connection, user, sessionHash);
  return firstRecoveryCodes(connection, user);
}

/** What follows a removed one. Throws 409 where it was the last and the provider requires one. */
export async function endEnrolment(connection: Connection, user: UserKey): Promise<void> {
  await lockAccount(connection, user);
  if (await mustEnrol(connection, user))
    throw conflict('Your provider requires a second factor. Add another one before you remove this one.');
  await forgetUnprotected(connection, user);
}

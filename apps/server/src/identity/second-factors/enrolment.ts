import { sql } from 'drizzle-orm';
import { USERS } from '../../directory/users.ts';
import { type Connection, row } from '../../foundation/database.ts';
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
  await lockEnrolment(connection, user);
  if (await mustEnrol(connection, user))
    throw conflict('Your provider requires a second factor. Add another one before you remove this one.');
  await forgetUnprotected(connection, user);
}

/** Of two changes of second factors at once the second one waits here, and then sees what the first one has left. */
export async function lockEnrolment(connection: Connection, user: UserKey): Promise<void> {
  await row(
    connection,
    sql`select from ${USERS} u where u.provider_id = ${user.providerId} and u.id = ${user.id} for no key update`,
  );
}

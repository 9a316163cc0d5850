import type { User } from '@keepwatch/contract/identity/sessions';
import { lockUser } from '../directory/user-changes.ts';
import { findShownBesides, findUserById, presentUser } from '../directory/users.ts';
import type { Connection } from '../foundation/database.ts';
import { conflict } from '../foundation/errors.ts';
import type { Actor, ChangingContext } from '../foundation/http/context.ts';
import { hashOfToken } from '../foundation/secrets.ts';
import { actorFrom, openSession, requireSession } from './sessions.ts';

/** A session in which an administrator acts as another user. */
export interface Impersonation {
  token: string;
  user: User;
  /** Both people, as the users logs name them. */
  actor: Actor;
}

/**
 * Opens a session as another user, in a transaction; `null` if the caller's scope has none of that id.
 * @throws Refusal 401 where the caller's own session has just ended; 403 for a user with a role that the caller could not give; 409 for the
 *   caller, and for a user who is disabled
 */
export async function openImpersonation(
  connection: Connection,
  { actor, address, userAgent, now }: ChangingContext,
  userId: string,
): Promise<Impersonation | null> {
  const listed = await lockUser(connection, actor, userId);
  if (listed === null) return null;
  if (listed._id === actor.userId) throw conflict('You are signed in as this user already.');
  const user = await findUserById(connection, actor.scope.providerId, listed._id);
  if (user === null) throw conflict(`${listed.name} is disabled and cannot be signed in as. Enable the user first.`);
  await requireSession(connection, actor);
  const own = { userAgent, parentHash: actor.sessionHash };
  const token = await openSession(connection, user, now(), address, own);
  const besides = await findShownBesides(connection, user);
  const impersonator = { userId: actor.userId, username: actor.username };
  return {
    token,
    user: presentUser({ ...user, mustChangePassword: false }, besides, {
      secondFactorNeeded: false,
      forceSecurityQuestions: false,
    }),
    actor: { ...actorFrom(user), sessionHash: hashOfToken(token), impersonator },
  };
}

import type { ConnectionServices } from '../connections/connection-services.ts';
import { findUserById, SIGNS_IN_ELSEWHERE } from '../directory/users.ts';
import { Refusal, unauthenticated } from '../foundation/errors.ts';
import type { SignedInContext } from '../foundation/http/context.ts';
import { asCurrentPassword } from './as-current-password.ts';
import { verifyAt } from './prove-password.ts';
import { beganAt } from './sessions.ts';
import { credentialsOf } from './sign-in.ts';

/** For how long a sign-in counts as the proof of a user who has no password. */
const FRESH_MS = 10 * 60 * 1_000;

/**
 * Throws 401 unless this is the password of who asks, here or in the directory; a wrong one counts as at the sign-in. A user who signs in elsewhere
 * has none, and proves the same by having signed in just now.
 */
export async function requireCurrentPassword(
  context: SignedInContext,
  services: ConnectionServices,
  password: string,
): Promise<void> {
  const { actor, database, scope } = context;
  const user = await findUserById(database, scope.providerId, actor.userId);
  if (user?.passwordHash === SIGNS_IN_ELSEWHERE) return requireFreshSession(context);
  const given = credentialsOf(context, { providerId: scope.providerId, username: actor.username, password });
  const isHere = user === null || user.directoryAccount === null;
  const proved = await asCurrentPassword(context, verifyAt(context, services, isHere ? 'db' : 'ad', given));
  // In the directory another account may have the name by now.
  if (proved.id !== actor.userId) throw unauthenticated();
}

async function requireFreshSession({ actor, database, now }: SignedInContext): Promise<void> {
  const began = await beganAt(database, actor.sessionHash);
  if (began !== null && began.getTime() > now().getTime() - FRESH_MS) return;
  const message = 'Log out and log in again, then do this within ten minutes.';
  throw new Refusal(401, 'SIGN_IN_AGAIN', message);
}

import type { ConnectionServices } from '../connections/connection-services.ts';
import { findUserById } from '../directory/users.ts';
import { unauthenticated } from '../foundation/errors.ts';
import type { SignedInContext } from '../foundation/http/context.ts';
import { asCurrentPassword } from './as-current-password.ts';
import { verifyPassword } from './sign-in.ts';
import { DEVICE_COOKIE } from './sign-in-devices.ts';
import { verifyByDirectory } from './user-directory/verify-by-directory.ts';

/** Throws 401 unless this is the password of who asks, here or in the directory; a wrong one counts as at the sign-in. */
export async function requireCurrentPassword(
  context: SignedInContext,
  services: ConnectionServices,
  password: string,
): Promise<void> {
  const { actor, address, cookies, database, scope, now } = context;
  const deviceToken = cookies.token(DEVICE_COOKIE);
  const given = { providerId: scope.providerId, username: actor.username, password, address, deviceToken };
  const user = await findUserById(database, scope.providerId, actor.userId);
  const isHere = user === null || user.directoryAccount === null;
  const proof = isHere ? verifyPassword(database, given, now()) : verifyByDirectory(context, services, given);
  const proved = await asCurrentPassword(context, proof);
  // In the directory another account may have the name by now.
  if (proved.id !== actor.userId) throw unauthenticated();
}

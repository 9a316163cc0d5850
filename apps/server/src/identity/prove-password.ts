import type { ConnectionServices } from '../connections/connection-services.ts';
import type { StoredUser } from '../directory/users.ts';
import type { PublicContext } from '../foundation/http/context.ts';
import { providerOf } from './provider-of.ts';
import { recordingRefusals } from './recording-refusals.ts';
import { verifyPassword } from './sign-in.ts';
import { DEVICE_COOKIE } from './sign-in-devices.ts';
import { requireOwnSignIn } from './single-sign-on/sign-in-ways.ts';
import { verifyByDirectory } from './user-directory/verify-by-directory.ts';

/**
 * The user whose name and password these are, here (`db`) or in the directory (`ad`). A refusal is in the users logs. Throws as `verifyPassword` and
 * `verifyByDirectory`, and 403 for a user who has to sign in elsewhere.
 */
export async function provePassword(
  context: PublicContext,
  services: ConnectionServices,
  { directory, username, password }: { directory: 'ad' | 'db'; username: string; password: string },
): Promise<StoredUser> {
  const providerId = await providerOf(context);
  const deviceToken = context.cookies.token(DEVICE_COOKIE);
  const given = { providerId, username, password, address: context.address, deviceToken };
  const proof =
    directory === 'ad'
      ? verifyByDirectory(context, services, given)
      : verifyPassword(context.database, given, context.now());
  const user = await recordingRefusals(context, given, proof);
  await requireOwnSignIn(context, user);
  return user;
}

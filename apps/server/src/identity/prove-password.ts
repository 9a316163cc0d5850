import type { ConnectionServices } from '../connections/connection-services.ts';
import type { StoredUser } from '../directory/users.ts';
import type { PublicContext } from '../foundation/http/context.ts';
import { providerOf } from './provider-of.ts';
import { recordingRefusals } from './recording-refusals.ts';
import { type Credentials, credentialsOf, verifyPassword } from './sign-in.ts';
import { requireOwnSignIn } from './single-sign-on/sign-in-ways.ts';
import { verifyByDirectory } from './user-directory/verify-by-directory.ts';

/**
 * The user whose name and password these are, here (`db`) or in the directory (`ad`). A refusal is in the users logs. Throws as `verifyAt`, and
 * 403 for a user who has to sign in elsewhere.
 */
export async function provePassword(
  context: PublicContext,
  services: ConnectionServices,
  { directory, username, password }: { directory: 'ad' | 'db'; username: string; password: string },
): Promise<StoredUser> {
  const given = credentialsOf(context, { providerId: await providerOf(context), username, password });
  const user = await recordingRefusals(context, given, verifyAt(context, services, directory, given));
  await requireOwnSignIn(context, user);
  return user;
}

/** The user of a name and a password, here or in the directory. Throws as `verifyPassword` and `verifyByDirectory`. */
export function verifyAt(
  context: PublicContext,
  services: ConnectionServices,
  directory: 'ad' | 'db',
  given: Credentials,
): Promise<StoredUser> {
  return directory === 'ad'
    ? verifyByDirectory(context, services, given)
    : verifyPassword(context.database, given, context.now());
}

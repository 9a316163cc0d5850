import { record } from '../audit/audit.ts';
import type { StoredUser } from '../directory/users.ts';
import { Refusal } from '../foundation/errors.ts';
import type { PublicContext } from '../foundation/http/context.ts';
import { providerOf } from './provider-of.ts';
import { verifyPassword } from './sign-in.ts';
import { DEVICE_COOKIE } from './sign-in-devices.ts';

/** The user whose name and password these are. A refusal is in the users logs. Throws as `verifyPassword`. */
export async function provePassword(
  context: PublicContext,
  { username, password }: { username: string; password: string },
): Promise<StoredUser> {
  const providerId = await providerOf(context);
  const deviceToken = context.cookies.token(DEVICE_COOKIE);
  const given = { providerId, username, password, address: context.address, deviceToken };
  return verifyPassword(context.database, given, context.now()).catch(async (error) => {
    const who = { providerId, userId: null, username };
    if (error instanceof Refusal) await record(context.database, context, { action: 'session.refused', who });
    throw error;
  });
}

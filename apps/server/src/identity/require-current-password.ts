import { record } from '../audit/audit.ts';
import { Refusal } from '../foundation/errors.ts';
import type { SignedInContext } from '../foundation/http/context.ts';
import { verifyPassword } from './sign-in.ts';
import { DEVICE_COOKIE } from './sign-in-devices.ts';

/** Throws 401 unless this is the password of who asks; a wrong one counts as at the sign-in. */
export async function requireCurrentPassword(context: SignedInContext, password: string): Promise<void> {
  const { actor, address, cookies, database, scope, now } = context;
  const deviceToken = cookies.token(DEVICE_COOKIE);
  const given = { providerId: scope.providerId, username: actor.username, password, address, deviceToken };
  await verifyPassword(database, given, now()).catch(async (error) => {
    if (error instanceof Refusal) await record(database, context, { action: 'session.refused' });
    if (error instanceof Refusal && error.code === 'WRONG_CREDENTIALS')
      throw new Refusal(401, 'WRONG_CREDENTIALS', 'The current password is not valid.');
    throw error;
  });
}

import type { SignedIn } from '@keepwatch/contract/identity/sessions';
import { record } from '../../audit/audit.ts';
import { findShownBesides, presentUser, type StoredUser, whoOf } from '../../directory/users.ts';
import { type Connection, transaction } from '../../foundation/database.ts';
import type { PublicContext } from '../../foundation/http/context.ts';
import { openSession } from '../sessions.ts';
import { DEVICE_COOKIE, rememberDevice, trustUntil } from '../sign-in-devices.ts';
import { mustChooseQuestions } from '../user-directory/secret-questions.ts';
import { requireUnchanged } from './require-unchanged.ts';
import { mustEnrol } from './sign-in-rules.ts';

interface Ending {
  /** No second factor is asked for in this browser for a while. */
  isRemembered: boolean;
  /** A second factor was proved elsewhere, so that none has to be added here. */
  hasSecondFactor?: boolean;
  /** What the session costs or depends on, in the transaction that opens it, while the account stays as it is; where it throws, no session is opened. */
  spend?: (connection: Connection) => Promise<void>;
}

/** Lets a user in who has proved everything: a session, the browser known from now on, an entry in the users logs. */
export async function endSignIn(
  context: PublicContext,
  user: StoredUser,
  { isRemembered, hasSecondFactor = false, spend = async () => {} }: Ending,
): Promise<Omit<SignedIn, 'success'>> {
  const now = context.now();
  const { token, device, secondFactorNeeded } = await transaction(context.database, async (connection) => {
    await requireUnchanged(connection, user);
    await spend(connection);
    await record(connection, context, { action: 'session.sign-in', who: whoOf(user) });
    const deviceToken = context.cookies.token(DEVICE_COOKIE);
    const trustedUntil = isRemembered ? trustUntil(now) : null;
    const { address, userAgent } = context;
    const isToEnrol = !hasSecondFactor && (await mustEnrol(connection, user));
    return {
      token: await openSession(connection, user, now, address, { userAgent, isToEnrol }),
      secondFactorNeeded: isToEnrol,
      device: await rememberDevice(connection, user, { token: deviceToken, trustedUntil }, now),
    };
  });
  context.cookies.setToken(DEVICE_COOKIE, device);
  const besides = await findShownBesides(context.database, user);
  const forceSecurityQuestions = await mustChooseQuestions(context.database, user);
  return {
    token,
    userId: user.id,
    user: presentUser(user, besides, { secondFactorNeeded, forceSecurityQuestions }),
  };
}

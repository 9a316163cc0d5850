import { signInWithCode } from '@keepwatch/contract/identity/sessions';
import { record } from '../../audit/audit.ts';
import { findUserById, type StoredUser } from '../../directory/users.ts';
import type { Connection } from '../../foundation/database.ts';
import { Refusal } from '../../foundation/errors.ts';
import type { PublicContext } from '../../foundation/http/context.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import type { SecretBox } from '../../foundation/secrets.ts';
import { providerOf } from '../provider-of.ts';
import { countAttempt, uncountAttempt } from '../sign-in-attempts.ts';
import { DEVICE_COOKIE, knownDevice } from '../sign-in-devices.ts';
import { useCode } from './authenticators.ts';
import { spendChallenge, userOfChallenge } from './challenges.ts';
import { endSignIn } from './end-sign-in.ts';
import { useRecoveryCode } from './recovery-codes.ts';

/** The calls that end a sign-in whose password was right. */
export function secondSignInCalls({ secrets }: { secrets: SecretBox }): Route[] {
  return [
    answer(signInWithCode, async (context, { body: { challenge, code, rememberComputer } }) => {
      const user = await proveSecondFactor(context, challenge, async (user) => {
        const now = context.now();
        const isOneTime = /^\d{6}$/.test(code.replace(/\s/g, ''));
        if (isOneTime) return useCode(context.database, secrets, user, code.replace(/\s/g, ''), now);
        return redeemRecoveryCode(context, user, code);
      });
      return endSignIn(context, user, {
        isRemembered: rememberComputer,
        spend: (connection) => requireChallenge(connection, context, user.providerId, challenge),
      });
    }),
  ];
}

/**
 * The user of a challenge, once the second factor is proved. A wrong one is counted, and is in the users logs.
 * Throws 401 for a challenge that no longer counts and for a wrong proof, and 429 after too many of them.
 */
async function proveSecondFactor(
  context: PublicContext,
  challenge: string,
  prove: (user: StoredUser) => Promise<boolean>,
): Promise<StoredUser> {
  const { database, address, cookies } = context;
  const providerId = await providerOf(context);
  const asked = await userOfChallenge(database, providerId, challenge, 'second-factor', context.now());
  const user = asked === null ? null : await findUserById(database, providerId, asked.id);
  if (user === null) throw signInAgain();
  const { username } = user;
  const device = await knownDevice(database, providerId, username, cookies.token(DEVICE_COOKIE));
  const attempt = { providerId, username, address, knownDevice: device, proves: 'second factor' } as const;
  const refused = async (error: Refusal): Promise<never> => {
    const who = { providerId, userId: user.id, username, companyIds: user.companyIds };
    await record(database, context, { action: 'session.refused-code', who });
    throw error;
  };
  await countAttempt(database, attempt, context.now()).catch((error) => {
    if (error instanceof Refusal) return refused(error);
    throw error;
  });
  if (!(await prove(user)))
    return refused(new Refusal(401, 'WRONG_CODE', 'The code is wrong, or it was used already.'));
  await uncountAttempt(database, attempt);
  return user;
}

async function redeemRecoveryCode(context: PublicContext, user: StoredUser, code: string): Promise<boolean> {
  if (!(await useRecoveryCode(context.database, user, code, context.now()))) return false;
  const { providerId, id: userId, username, companyIds } = user;
  const who = { providerId, userId, username, companyIds };
  await record(context.database, context, { action: 'session.recovery-code', who });
  return true;
}

async function requireChallenge(
  connection: Connection,
  { now }: PublicContext,
  providerId: number,
  challenge: string,
): Promise<void> {
  if (!(await spendChallenge(connection, providerId, challenge, 'second-factor', now()))) throw signInAgain();
}

function signInAgain(): Refusal {
  return new Refusal(401, 'SIGN_IN_AGAIN', 'The sign-in took too long. Log in with your password again.');
}

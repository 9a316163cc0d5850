import type { SignedIn } from '@keepwatch/contract/identity/sessions';
import { record } from '../../audit/audit.ts';
import { findUserById, type StoredUser, whoOf } from '../../directory/users.ts';
import type { Connection } from '../../foundation/database.ts';
import { Refusal } from '../../foundation/errors.ts';
import type { PublicContext } from '../../foundation/http/context.ts';
import { providerOf } from '../provider-of.ts';
import { countAttempt, uncountAttempt } from '../sign-in-attempts.ts';
import { DEVICE_COOKIE, knownDevice } from '../sign-in-devices.ts';
import { type Purpose, spendChallenge, userOfChallenge } from './challenges.ts';
import { endSignIn } from './end-sign-in.ts';

interface SecondFactorProof {
  prove: (user: StoredUser) => Promise<boolean>;
  /** Says what is to be done after a wrong one. */
  wrong: string;
}

/** Lets the user of a challenge in, once the second factor is proved, and spends the challenge. Throws as `proveSecondFactor`. */
export async function signInWithSecondFactor(
  context: PublicContext,
  { challenge, rememberComputer }: { challenge: string; rememberComputer: boolean },
  proof: SecondFactorProof,
): Promise<Omit<SignedIn, 'success'>> {
  const user = await userOf(context, challenge);
  await proveSecondFactor(context, user, proof);
  return endSignIn(context, user, {
    isRemembered: rememberComputer,
    spend: (connection) => requireChallenge(connection, context, user.providerId, challenge, 'second-factor'),
  });
}

/** The user of a challenge. Throws 401 for one that no longer counts. */
async function userOf(context: PublicContext, challenge: string): Promise<StoredUser> {
  const providerId = await providerOf(context);
  const asked = await userOfChallenge(context.database, providerId, challenge, 'second-factor', context.now());
  const user = asked === null ? null : await findUserById(context.database, providerId, asked.id);
  if (user === null) throw signInAgain();
  return user;
}

/** Proves the second factor of a user whose password was right. A wrong one is counted, and is in the users logs. Throws 401 for it, and 429 after too many. */
export async function proveSecondFactor(
  context: PublicContext,
  user: StoredUser,
  { prove, wrong }: SecondFactorProof,
): Promise<void> {
  const { database, address, cookies } = context;
  const { providerId, username } = user;
  const device = await knownDevice(database, providerId, username, cookies.token(DEVICE_COOKIE));
  const attempt = { providerId, username, address, knownDevice: device, proves: 'second factor' } as const;
  const refused = async (error: Refusal): Promise<never> => {
    await record(database, context, { action: 'session.refused-code', who: whoOf(user) });
    throw error;
  };
  await countAttempt(database, attempt, context.now()).catch((error) => {
    if (error instanceof Refusal) return refused(error);
    throw error;
  });
  if (!(await prove(user))) return refused(new Refusal(401, 'WRONG_CODE', wrong));
  await uncountAttempt(database, attempt);
}

/** Spends a challenge. Throws 401 for one that no longer counts. */
export async function requireChallenge(
  connection: Connection,
  { now }: PublicContext,
  providerId: number,
  challenge: string,
  purpose: Purpose,
): Promise<void> {
  if (!(await spendChallenge(connection, providerId, challenge, purpose, now()))) throw signInAgain();
}

function signInAgain(): Refusal {
  return new Refusal(401, 'SIGN_IN_AGAIN', 'The sign-in took too long. Log in again.');
}

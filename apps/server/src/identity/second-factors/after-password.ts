import type { SecondFactorAsked, SignedIn } from '@keepwatch/contract/identity/sessions';
import type { StoredUser } from '../../directory/users.ts';
import type { PublicContext } from '../../foundation/http/context.ts';
import { isTrusted } from '../sign-in-devices.ts';
import { newChallenge } from './challenges.ts';
import { endSignIn } from './end-sign-in.ts';
import { requestOf } from './passkeys.ts';
import { findSecondFactors, kindsOf } from './second-factors.ts';

/** Goes on after a right password, wherever it was proved: a session, or what is asked for first. */
export async function afterPassword(
  context: PublicContext,
  user: StoredUser,
  { publicUrl, deviceToken }: { publicUrl: string; deviceToken: string | null },
): Promise<Omit<SignedIn, 'success'> | { secondFactor: SecondFactorAsked }> {
  const { database, now } = context;
  const kinds = kindsOf(await findSecondFactors(database, user));
  if (kinds.length === 0 || (await isTrusted(database, user, deviceToken, now())))
    return endSignIn(context, user, { isRemembered: false });
  const challenge = await newChallenge(database, user, 'second-factor', now());
  const passkey = await requestOf(database, publicUrl, user, challenge);
  return { secondFactor: { challenge, kinds, passkey } };
}

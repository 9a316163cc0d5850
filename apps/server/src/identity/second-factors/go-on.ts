import type { SignInReply } from '@keepwatch/contract/identity/sessions';
import type { StoredUser } from '../../directory/users.ts';
import { transaction } from '../../foundation/database.ts';
import type { PublicContext } from '../../foundation/http/context.ts';
import { DEVICE_COOKIE, isTrusted } from '../sign-in-devices.ts';
import { newChallenge } from './challenges.ts';
import { endSignIn } from './end-sign-in.ts';
import { requestOf } from './passkeys.ts';
import { requireUnchanged, requireUnprotected } from './require-unchanged.ts';
import { findSecondFactors, kindsOf } from './second-factors.ts';
import type { SmsServices } from './sms-service.ts';
import { askForSms } from './sms-sign-in.calls.ts';

interface FirstStep {
  services: SmsServices & { publicUrl: string };
  /** A second factor was proved elsewhere, and counts here. */
  hasSecondFactor: boolean;
}

/** Goes on after the first step of a sign-in: asks for the user's second factor, or ends the sign-in where none is needed. */
export async function goOn(
  context: PublicContext,
  user: StoredUser,
  { services, hasSecondFactor }: FirstStep,
): Promise<Omit<SignInReply, 'success'>> {
  if (hasSecondFactor) return endSignIn(context, user, { isRemembered: false, hasSecondFactor });
  const kinds = kindsOf(await findSecondFactors(context.database, user));
  if (kinds.length === 0)
    return endSignIn(context, user, {
      isRemembered: false,
      spend: (connection) => requireUnprotected(connection, user),
    });
  const deviceToken = context.cookies.token(DEVICE_COOKIE);
  if (await isTrusted(context.database, user, deviceToken, context.now()))
    return endSignIn(context, user, { isRemembered: false });
  const challenge = await transaction(context.database, async (connection) => {
    await requireUnchanged(connection, user);
    return newChallenge(connection, user, 'second-factor', context.now());
  });
  const passkey = await requestOf(context.database, services.publicUrl, user, challenge);
  const sms = await askForSms(context, services, user, kinds);
  return { secondFactor: { challenge, kinds, passkey, sms } };
}

import type { SecondFactorAsked } from '@keepwatch/contract/identity/sessions';
import { giveSmsPhone, resendSmsCode, signInWithSms } from '@keepwatch/contract/identity/sms-sign-in';
import { record } from '../../audit/audit.ts';
import { lockAccount, type StoredUser, whoOf } from '../../directory/users.ts';
import type { Connection } from '../../foundation/database.ts';
import { conflict, Refusal } from '../../foundation/errors.ts';
import type { PublicContext } from '../../foundation/http/context.ts';
import { answer, type Route } from '../../foundation/http/routes.ts';
import { provePassword } from '../prove-password.ts';
import { endSignIn } from './end-sign-in.ts';
import { enrol } from './enrolment.ts';
import { requireMobileNumber } from './mobile-numbers.ts';
import { markPhoneUsed, masked, numberOf, storePhone } from './phones.ts';
import { proveSecondFactor } from './prove-second-factor.ts';
import { mustEnrol } from './sign-in-rules.ts';
import { type CodePurpose, pendingNumberOf, sendSmsCode, spendSmsCode } from './sms-codes.ts';
import type { SmsServices } from './sms-service.ts';

/** The calls that sign in with the password and a code that is sent to a phone. All of them take the password; without it none says anything. */
export function smsSignInCalls(services: SmsServices): Route[] {
  const send = async (context: PublicContext, user: StoredUser, purpose: CodePurpose, number: string) => {
    await sendAtSignIn(context, services, user, { purpose, number });
    return { phone: masked(number) };
  };
  const giveNumber = async (context: PublicContext, user: StoredUser, given: { number: string; path: string }) => {
    await requireToEnrol(context.database, user);
    const number = await requireMobileNumber(context, services, user, given);
    return send(context, user, 'new-phone', number);
  };
  return [
    answer(signInWithSms, async (context, { params, body }) => {
      const user = await provePassword(context, services, { ...params, ...body });
      if (body.userUpdatedPhoneOnce) await requireToEnrol(context.database, user);
      const purpose = body.userUpdatedPhoneOnce ? 'new-phone' : 'sign-in';
      const proved: { number: string | null } = { number: null };
      await proveSecondFactor(context, user, {
        prove: async () => {
          proved.number = await spendSmsCode(context, services, user, { purpose, code: body.smsCode });
          return proved.number !== null;
        },
        wrong: 'The code is wrong, or too old. Ask for a new one.',
      });
      const enrolled: { recoveryCodes: string[] | null } = { recoveryCodes: null };
      const signedIn = await endSignIn(context, user, {
        isRemembered: body.rememberComputer,
        spend: async (connection) => {
          enrolled.recoveryCodes = await usePhone(connection, user, purpose, proved.number, context.now());
        },
      });
      return { ...signedIn, ...enrolled };
    }),

    answer(giveSmsPhone, async (context, { params, body }) => {
      const user = await provePassword(context, services, { ...params, ...body });
      return giveNumber(context, user, { number: body.mobilePhone, path: 'body.mobilePhone' });
    }),

    answer(resendSmsCode, async (context, { params, body }) => {
      const user = await provePassword(context, services, { ...params, ...body });
      if (body.newMobilePhone !== undefined)
        return giveNumber(context, user, { number: body.newMobilePhone, path: 'body.newMobilePhone' });
      const known = await numberOf(context.database, user);
      if (known !== null) return send(context, user, 'sign-in', known);
      await requireToEnrol(context.database, user);
      const pending = await pendingNumberOf(context.database, user, context.now());
      if (pending === null) throw conflict('There is no phone to send a code to. Enter its number first.');
      return send(context, user, 'new-phone', pending);
    }),
  ];
}

/** The phone of a user as the sign-in asks for its code, which is sent at once where there is no other second factor to choose. */
export async function askForSms(
  context: PublicContext,
  services: SmsServices,
  user: StoredUser,
  kinds: SecondFactorAsked['kinds'],
): Promise<SecondFactorAsked['sms']> {
  const number = kinds.includes('sms') ? await numberOf(context.database, user) : null;
  if (number === null) return null;
  const hasOther = kinds.includes('authenticator') || kinds.includes('passkey');
  const isSent = !hasOther && (await canSend(context, services, user, number));
  return { phone: masked(number), isSent };
}

/** A code that cannot be sent does not refuse the sign-in: recovery codes still end it, and asking again says why. */
async function canSend(context: PublicContext, services: SmsServices, user: StoredUser, number: string) {
  try {
    await sendAtSignIn(context, services, user, { purpose: 'sign-in', number });
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}

async function sendAtSignIn(
  context: PublicContext,
  services: SmsServices,
  user: StoredUser,
  receiver: { purpose: CodePurpose; number: string },
): Promise<void> {
  await sendSmsCode(context, services, user, receiver);
  await record(context.database, context, { action: 'session.send-code', who: whoOf(user) });
}

/**
 * A number is given at the sign-in only by who has to add a second factor and has none. Throws 409 for others: who knows their password
 * must not send the codes to another phone.
 */
async function requireToEnrol(connection: Connection, user: StoredUser): Promise<void> {
  if (await mustEnrol(connection, user)) return;
  throw conflict('A phone is added or changed on your security page. Log in and open it from your profile.');
}

/** Stores the number that the code has confirmed, or that it was used. Gives the recovery codes of a first second factor. */
async function usePhone(
  connection: Connection,
  user: StoredUser,
  purpose: CodePurpose,
  number: string | null,
  now: Date,
): Promise<string[] | null> {
  if (purpose === 'sign-in' || number === null) {
    await markPhoneUsed(connection, user, now);
    return null;
  }
  // Of two who add a second factor at once, the second one waits and sees the first one's.
  await lockAccount(connection, user);
  await requireToEnrol(connection, user);
  await storePhone(connection, user, number, now);
  return enrol(connection, user, null);
}

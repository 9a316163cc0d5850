import {
  checkSetupLink,
  createFirstAccount,
  editProfile,
  getProfile,
  signIn,
  signOut,
  type User,
} from '@keepwatch/contract/identity/sessions';
import type { CallInput } from '@keepwatch/contract/wire/call';
import { change } from '../audit/change.ts';
import { editDetails } from '../directory/user-details.ts';
import { editPreferences, findPreferences, findUserById, presentUser } from '../directory/users.ts';
import { notFound } from '../foundation/errors.ts';
import type { SignedInContext } from '../foundation/http/context.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { createAccountWithLink, requireSetupLink } from './first-account.ts';
import { provePassword } from './prove-password.ts';
import { newChallenge } from './second-factors/challenges.ts';
import { endSignIn } from './second-factors/end-sign-in.ts';
import { requestOf } from './second-factors/passkeys.ts';
import { findSecondFactors, kindsOf } from './second-factors/second-factors.ts';
import type { SmsServices } from './second-factors/sms-service.ts';
import { askForSms } from './second-factors/sms-sign-in.calls.ts';
import { endSession } from './sessions.ts';
import { DEVICE_COOKIE, isTrusted } from './sign-in-devices.ts';

export function identityCalls(parts: SmsServices & { publicUrl: string }): Route[] {
  const { publicUrl } = parts;
  return [
    answer(signIn, async (context, { body }) => {
      const user = await provePassword(context, body);
      const deviceToken = context.cookies.token(DEVICE_COOKIE);
      const kinds = kindsOf(await findSecondFactors(context.database, user));
      if (kinds.length === 0 || (await isTrusted(context.database, user, deviceToken, context.now())))
        return endSignIn(context, user, { isRemembered: false });
      const challenge = await newChallenge(context.database, user, 'second-factor', context.now());
      const passkey = await requestOf(context.database, publicUrl, user, challenge);
      const sms = await askForSms(context, parts, user, kinds);
      return { secondFactor: { challenge, kinds, passkey, sms } };
    }),

    answer(signOut, async (context) => {
      await change(context, null, async (connection) => {
        await endSession(connection, context.actor.sessionHash);
        return { result: null };
      });
      return {};
    }),

    answer(getProfile, async (context, { params }) => ({ data: await ownProfile(context, params.id) })),

    answer(editProfile, async (context, { params, body }) => {
      const before = await ownProfile(context, params.id);
      const { theme, preferences, ...details } = body;
      await change(context, { kind: 'user', id: params.id }, async (connection) => {
        const key = { providerId: context.scope.providerId, id: params.id };
        await editPreferences(connection, key, { theme, preferences });
        await editDetails(connection, key, details);
        return { result: null, before: chosenOf(before, body), after: body };
      });
      return { data: await ownProfile(context, params.id) };
    }),

    answer(checkSetupLink, async (context, { params }) => {
      await requireSetupLink(context.database, params.token);
      return {};
    }),

    answer(createFirstAccount, async (context, { params, body }) => {
      await createAccountWithLink(context, params.token, body);
      return {};
    }),
  ];
}

/** Of what a profile has, that which a change is about: in the users logs before and after have the same fields. */
function chosenOf(before: User, { theme, preferences, ...details }: CallInput<typeof editProfile>['body']) {
  const pick = (from: object, names: object) =>
    Object.fromEntries(Object.entries(from).filter(([name]) => Object.hasOwn(names, name)));
  return {
    ...pick(before, details),
    ...(theme === undefined ? {} : { theme: pick(before.theme, theme) }),
    ...(preferences === undefined ? {} : { preferences: pick(before.preferences, preferences) }),
  };
}

/** A profile is its owner's alone; that of another user is answered as if it did not exist. */
async function ownProfile(context: SignedInContext, id: string) {
  const user = id === context.actor.userId ? await findUserById(context.database, context.scope.providerId, id) : null;
  if (user === null) throw notFound('profile');
  // An administrator who acts as the user does not have to choose a new password.
  const { mustChangePassword, mustEnrol } = context.actor;
  const preferences = await findPreferences(context.database, user);
  return presentUser({ ...user, mustChangePassword }, preferences, { secondFactorNeeded: mustEnrol });
}

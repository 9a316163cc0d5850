import type { PreferenceKey, Preferences } from '@keepwatch/contract/identity/preferences';
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
import { lockProvider } from '../branding/brands.ts';
import { editDetails } from '../directory/user-details.ts';
import { editPreferences, findShownBesides, findUserById, presentUser } from '../directory/users.ts';
import { invalid, newPasswordFirst, notFound } from '../foundation/errors.ts';
import { requireOwnSession } from '../foundation/http/access.ts';
import type { SignedInContext } from '../foundation/http/context.ts';
import { answer, type Route } from '../foundation/http/routes.ts';
import { createAccountWithLink, requireSetupLink } from './first-account.ts';
import { provePassword } from './prove-password.ts';
import { requireCurrentPassword } from './require-current-password.ts';
import { goOn } from './second-factors/go-on.ts';
import type { SmsServices } from './second-factors/sms-service.ts';
import { endSession, holdSession } from './sessions.ts';
import { signOutAddress } from './single-sign-on/sign-out-there.ts';
import { mustChooseQuestions } from './user-directory/secret-questions.ts';

export function identityCalls(parts: SmsServices & { publicUrl: string }): Route[] {
  return [
    answer(signIn, async (context, { body }) => {
      const user = await provePassword(context, parts, { directory: 'db', ...body });
      return goOn(context, user, { services: parts, hasSecondFactor: false });
    }),

    answer(signOut, async (context) => {
      await change(context, null, async (connection) => {
        await endSession(connection, context.actor.sessionHash);
        return { result: null };
      });
      return { address: await signOutAddress(context, parts) };
    }),

    answer(getProfile, async (context, { params }) => ({ data: await ownProfile(context, params.id) })),

    answer(editProfile, async (context, { params, body }) => {
      const before = await ownProfile(context, params.id);
      const { password, ...changed } = body;
      const { theme, preferences, ackO365TermsOfUse, ...details } = changed;
      const terms = ackO365TermsOfUse === undefined ? {} : { [TERMS_OF_USE]: ackO365TermsOfUse };
      const chosen: Preferences = { ...preferences, ...terms };
      // Terms bind who accepts them.
      if (chosen[TERMS_OF_USE] !== undefined) requireOwnSession(context.actor);
      if (isOtherAddress(before, details.email)) await requireOwner(context, parts, password);
      await change(context, { kind: 'user', id: params.id }, async (connection) => {
        const key = { providerId: context.scope.providerId, id: params.id };
        // Before the account is locked, in the order of those who change other users.
        if (details.username !== undefined) await lockProvider(connection, key.providerId);
        await holdSession(connection, context.actor);
        await editPreferences(connection, key, { theme, preferences: chosen });
        await editDetails(connection, key, details);
        return { result: null, before: chosenOf(before, changed), after: changed };
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

const TERMS_OF_USE = 'o365.terms-of-use' satisfies PreferenceKey;

type ProfileBody = CallInput<typeof editProfile>['body'];

/** Whether links to set a password would go elsewhere. Those of a directory are changed there, and none is mailed to who signs in elsewhere. */
function isOtherAddress({ email, authType, hasPassword }: User, given: string | undefined): boolean {
  return given !== undefined && given !== email && authType === 'db' && hasPassword;
}

/** Who gets the links to set a password can sign in: another address takes the current one, as a session that was left open must not become a way in. */
async function requireOwner(context: SignedInContext, services: SmsServices, password: string | undefined) {
  requireOwnSession(context.actor);
  // Who set the password of another user could otherwise come back by the address.
  if (context.actor.mustChangePassword) throw newPasswordFirst();
  if (password === undefined)
    throw invalid([{ path: 'body.password', message: 'is needed to change the e-mail address' }]);
  await requireCurrentPassword(context, services, password);
}

/** Of what a profile has, that which a change is about: in the users logs before and after have the same fields. */
function chosenOf(before: User, { theme, preferences, ...details }: Omit<ProfileBody, 'password'>) {
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
  const besides = await findShownBesides(context.database, user);
  // Nor does that administrator choose the secret questions of the user.
  const isOwn = context.actor.impersonator === null;
  const forceSecurityQuestions = isOwn && (await mustChooseQuestions(context.database, user));
  return presentUser({ ...user, mustChangePassword }, besides, {
    secondFactorNeeded: mustEnrol,
    forceSecurityQuestions,
  });
}

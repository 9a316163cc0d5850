import * as z from 'zod/mini';
import { declareCall, PUBLIC_BODY_BYTES } from '../wire/call.ts';
import { id, text } from '../wire/fields.ts';
import { done, itemOf } from '../wire/replies.ts';
import { givenPassword } from './password-fields.ts';
import { changeOwnPassword } from './passwords.ts';
import { signIn } from './sessions.ts';

/** Accounts of a directory outside the portal: an Active Directory. Which passwords are good enough it decides itself. */

const hash = text(100);
/** A new password; which ones are good enough the directory decides. */
const directoryPassword = text(256).check(z.minLength(1));

export const signInByDirectory = declareCall({
  ...signIn,
  path: '/auth/login/ad',
  audit: null, // As signIn
  summary: 'Signs in with an account of the Active Directory, or asks for its second factor.',
});

export const changeExpiredPassword = declareCall({
  method: 'POST',
  path: '/auth/login/ad/password',
  access: 'public',
  audit: null, // The handler records profile.change-password or session.refused, also of those who are not let in
  body: z.strictObject({
    username: text(200).check(z.minLength(1)),
    password: givenPassword,
    newPassword: directoryPassword,
  }),
  bodyBytesMax: PUBLIC_BODY_BYTES,
  ...done,
  failure: 'Sorry, change password failed.',
  summary: 'Changes a password that has expired, or that another person set, before the sign-in.',
});

export const changeOwnDirectoryPassword = declareCall({
  method: 'POST',
  path: '/profile/{id}/change-password/ad',
  access: 'signed-in',
  needs: 'own-session',
  audit: 'profile.change-password',
  params: z.strictObject({ id }),
  body: z.strictObject({ password: givenPassword, newPassword: directoryPassword }),
  ...itemOf(z.object({ token: z.string() })),
  failure: changeOwnPassword.failure,
  summary:
    "Changes the user's own password in the directory. Every session of the user ends; the reply has the token of a new one.",
});

export const unlockAccount = declareCall({
  method: 'POST',
  path: '/profile/unlock',
  access: 'public',
  audit: 'profile.unlock',
  body: z.strictObject({ hash }),
  bodyBytesMax: PUBLIC_BODY_BYTES,
  ...done,
  failure: 'The account has not been unlocked. Please, try later',
  summary: 'Unlocks an account of the directory, for who has answered its secret questions.',
});

export const resetDirectoryPassword = declareCall({
  method: 'POST',
  path: '/profile/reset-password',
  access: 'public',
  audit: 'profile.reset-password',
  body: z.strictObject({ hash, password: directoryPassword }),
  bodyBytesMax: PUBLIC_BODY_BYTES,
  ...done,
  failure: 'Password has not been reseted. Please, try later.',
  summary:
    'Sets a new password in the directory, for who has answered the secret questions. Every session of the user ends.',
});

export const changeUserDirectoryPassword = declareCall({
  method: 'PUT',
  path: '/users/{id}/changePassword/ad',
  access: ['monitoring.users', 'o365.users'],
  needs: 'session',
  audit: 'user.change-password',
  params: z.strictObject({ id }),
  body: z.strictObject({ password: directoryPassword }),
  ...done,
  failure: 'There was an error while changing the password. Try again later',
  summary:
    'Sets the password of another user in the directory and unlocks the account; the user chooses a new one at the next sign-in.',
});

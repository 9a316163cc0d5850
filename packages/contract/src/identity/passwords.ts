import * as z from 'zod/mini';
import { declareCall, PUBLIC_BODY_BYTES } from '../wire/call.ts';
import { id, text } from '../wire/fields.ts';
import { done, itemOf } from '../wire/replies.ts';
import { givenPassword, newPassword } from './password-fields.ts';

export const changeOwnPassword = declareCall({
  method: 'POST',
  path: '/profile/{id}/change-password/db',
  access: 'signed-in',
  needs: 'own-session',
  audit: 'profile.change-password',
  params: z.strictObject({ id }),
  body: z.strictObject({ password: givenPassword, newPassword }),
  ...itemOf(z.object({ token: z.string() })),
  failure: 'Sorry, change password failed.',
  summary: "Changes the user's own password. Every session of the user ends; the reply has the token of a new one.",
});

export const requestPasswordLink = declareCall({
  method: 'POST',
  path: '/profile/forgot-password/email',
  access: 'public',
  audit: null, // Nothing is changed, and what would be recorded is whether an account exists
  body: z.strictObject({
    /** User name or e-mail address. */
    login: text(200).check(z.trim(), z.minLength(1)),
  }),
  bodyBytesMax: PUBLIC_BODY_BYTES,
  ...done,
  failure: 'There was an error on the proccess, try again later',
  summary: 'Mails a link to set a new password, if there is such an account. The reply is the same if there is none.',
});

export const checkPasswordLink = declareCall({
  method: 'GET',
  path: '/profile/forgot-password/check',
  access: 'public',
  query: z.strictObject({ hash: text(100) }),
  ...itemOf(z.object({ isValid: z.boolean(), isInvitation: z.boolean() })),
  failure: 'There was an error while trying to check the link, try again later',
  summary: 'Whether a password can be set with a link.',
});

export const setPasswordByLink = declareCall({
  method: 'POST',
  path: '/profile/forgot-password/change',
  access: 'public',
  audit: 'profile.set-password',
  body: z.strictObject({ hash: text(100), password: newPassword }),
  bodyBytesMax: PUBLIC_BODY_BYTES,
  ...done,
  failure: 'There was an error while trying to change the password, try again later',
  summary: 'Sets a password with a link that was mailed or handed over, once. Every session of the user ends.',
});

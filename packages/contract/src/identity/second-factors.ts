import * as z from 'zod/mini';
import { declareCall } from '../wire/call.ts';
import { entity } from '../wire/entity.ts';
import { id, instant, text } from '../wire/fields.ts';
import { done, itemOf } from '../wire/replies.ts';
import { givenPassword } from './password-fields.ts';

/** What a user has besides the password. */
export const secondFactors = entity(
  'SecondFactors',
  z.object({
    /** The authenticator app; `null`: none. */
    authenticator: z.nullable(z.object({ createdAt: instant, lastUsedAt: z.nullable(instant) })),
    passkeys: z.array(z.object({ _id: id, name: z.string(), createdAt: instant, lastUsedAt: z.nullable(instant) })),
    /** To which codes are sent, shown in part; `null`: none. */
    phone: z.nullable(z.object({ number: z.string(), createdAt: instant, lastUsedAt: z.nullable(instant) })),
    /** Whether the provider is connected with a service that sends codes. */
    canUsePhone: z.boolean(),
    /** Recovery codes that were not used yet. */
    recoveryCodesLeft: z.int(),
  }),
);
export type SecondFactors = z.infer<typeof secondFactors>;

/** Shown once: the portal stores only their hashes. `null` where earlier ones still count. */
export const newRecoveryCodes = z.nullable(z.array(z.string()));

/** A code of an authenticator app. */
export const oneTimeCode = text(20).check(
  z.overwrite((code) => code.replace(/\s/g, '')),
  z.regex(/^\d{6}$/, 'must have six digits'),
);

export const getSecondFactors = declareCall({
  method: 'GET',
  path: '/profile/{id}/second-factors',
  access: 'signed-in',
  params: z.strictObject({ id }),
  ...itemOf(secondFactors),
  failure: 'The second factors could not be read, try again later.',
  summary: "The user's own second factors.",
});

export const beginAuthenticator = declareCall({
  method: 'POST',
  path: '/profile/{id}/authenticator',
  access: 'signed-in',
  after: 'new-password',
  needs: 'own-session',
  audit: null, // Nothing counts yet: profile.add-authenticator is recorded when its first code has come
  params: z.strictObject({ id }),
  body: z.strictObject({ password: givenPassword }),
  ...itemOf(
    z.object({
      /** In letters and digits, for apps that cannot read the picture. */
      key: z.string(),
      /** What the picture contains. */
      address: z.string(),
    }),
  ),
  failure: 'The authenticator app could not be added, try again later.',
  summary: 'Makes the key of an authenticator app. It counts once a code of the app has confirmed it.',
});

export const confirmAuthenticator = declareCall({
  method: 'POST',
  path: '/profile/{id}/authenticator/confirm',
  access: 'signed-in',
  after: 'new-password',
  needs: 'own-session',
  audit: 'profile.add-authenticator',
  params: z.strictObject({ id }),
  body: z.strictObject({ code: oneTimeCode }),
  ...itemOf(z.object({ recoveryCodes: newRecoveryCodes })),
  failure: 'The authenticator app could not be added, try again later.',
  summary: 'Adds the authenticator app whose code this is. With the first second factor come recovery codes.',
});

export const removeAuthenticator = declareCall({
  method: 'DELETE',
  path: '/profile/{id}/authenticator',
  access: 'signed-in',
  needs: 'own-session',
  audit: 'profile.remove-authenticator',
  params: z.strictObject({ id }),
  body: z.strictObject({ password: givenPassword }),
  ...done,
  failure: 'The authenticator app could not be removed, try again later.',
  summary: 'Removes the authenticator app; its codes no longer count.',
});

export const renewRecoveryCodes = declareCall({
  method: 'POST',
  path: '/profile/{id}/recovery-codes',
  access: 'signed-in',
  after: 'new-password',
  needs: 'own-session',
  audit: 'profile.renew-recovery-codes',
  params: z.strictObject({ id }),
  body: z.strictObject({ password: givenPassword }),
  ...itemOf(z.array(z.string())),
  failure: 'The recovery codes could not be made, try again later.',
  summary: 'Makes ten new recovery codes, shown once. Earlier ones no longer count.',
});

export const getUserSecondFactors = declareCall({
  method: 'GET',
  path: '/users/{id}/second-factors',
  access: ['monitoring.users', 'o365.users'],
  params: z.strictObject({ id }),
  ...itemOf(secondFactors),
  failure: 'The second factors could not be read, try again later.',
  summary: 'Which second factors a user has.',
});

export const resetSecondFactors = declareCall({
  method: 'DELETE',
  path: '/users/{id}/second-factors',
  access: ['monitoring.users', 'o365.users'],
  needs: 'session',
  audit: 'user.reset-second-factors',
  params: z.strictObject({ id }),
  ...done,
  failure: 'The second factors could not be reset, try again later.',
  summary: 'Removes all second factors of another user, who signs in with the password alone until a new one is added.',
});

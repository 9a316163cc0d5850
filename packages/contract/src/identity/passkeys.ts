import * as z from 'zod/mini';
import { declareCall, PUBLIC_BODY_BYTES } from '../wire/call.ts';
import { id, nameText, text } from '../wire/fields.ts';
import { done, itemOf } from '../wire/replies.ts';
import { newPasskeyProof, newPasskeyRequest, passkeyProof, passkeyRequest } from './passkey-fields.ts';
import { givenPassword } from './password-fields.ts';
import { signedIn } from './sessions.ts';

const passkeyName = nameText(100);

export const beginPasskey = declareCall({
  method: 'POST',
  path: '/profile/{id}/passkeys/options',
  access: 'signed-in',
  after: 'new-password',
  needs: 'own-session',
  audit: null, // Nothing counts yet: profile.add-passkey is recorded when the browser has made it
  params: z.strictObject({ id }),
  body: z.strictObject({ password: givenPassword }),
  ...itemOf(newPasskeyRequest),
  failure: 'The passkey could not be added, try again later.',
  summary: 'What a browser makes a new passkey from.',
});

export const addPasskey = declareCall({
  method: 'POST',
  path: '/profile/{id}/passkeys',
  access: 'signed-in',
  after: 'new-password',
  needs: 'own-session',
  audit: 'profile.add-passkey',
  params: z.strictObject({ id }),
  body: z.strictObject({ name: passkeyName, challenge: text(100), proof: newPasskeyProof }),
  /** Shown once; `null` where earlier ones still count. */
  ...itemOf(z.object({ recoveryCodes: z.nullable(z.array(z.string())) })),
  failure: 'The passkey could not be added, try again later.',
  summary: 'Adds a passkey that the browser has made. With the first second factor come recovery codes.',
});

export const renamePasskey = declareCall({
  method: 'PUT',
  path: '/profile/{id}/passkeys/{passkeyId}',
  access: 'signed-in',
  needs: 'own-session',
  audit: 'profile.rename-passkey',
  params: z.strictObject({ id, passkeyId: id }),
  body: z.strictObject({ name: passkeyName }),
  ...done,
  failure: 'The passkey could not be renamed, try again later.',
  summary: 'Gives a passkey another name.',
});

export const removePasskey = declareCall({
  method: 'DELETE',
  path: '/profile/{id}/passkeys/{passkeyId}',
  access: 'signed-in',
  needs: 'own-session',
  audit: 'profile.remove-passkey',
  params: z.strictObject({ id, passkeyId: id }),
  body: z.strictObject({ password: givenPassword }),
  ...done,
  failure: 'The passkey could not be removed, try again later.',
  summary: 'Removes a passkey; it no longer counts.',
});

export const beginPasskeySignIn = declareCall({
  method: 'POST',
  path: '/auth/login/passkey/options',
  access: 'public',
  audit: null, // No user is known yet
  ...itemOf(passkeyRequest),
  failure: 'Signing in failed, try again later.',
  summary: 'What a browser proves with a passkey to sign in without a password.',
});

export const signInWithPasskey = declareCall({
  method: 'POST',
  path: '/auth/login/passkey',
  access: 'public',
  audit: null, // The handler records session.sign-in or session.refused-code, also of those who are not let in
  body: z.strictObject({ challenge: text(100), proof: passkeyProof }),
  bodyBytesMax: PUBLIC_BODY_BYTES,
  reply: signedIn,
  failure: 'Signing in failed, try again later.',
  summary: 'Signs in with a passkey alone, whose device has made sure who uses it.',
});

export const confirmWithPasskey = declareCall({
  method: 'POST',
  path: '/auth/login/second-factor/passkey',
  access: 'public',
  audit: null, // As signInWithPasskey
  body: z.strictObject({
    challenge: text(100),
    proof: passkeyProof,
    /** No second factor is asked for on this computer for 30 days. */
    rememberComputer: z._default(z.boolean(), false),
  }),
  bodyBytesMax: PUBLIC_BODY_BYTES,
  reply: signedIn,
  failure: 'Signing in failed, try again later.',
  summary: 'Ends a sign-in with a passkey.',
});
